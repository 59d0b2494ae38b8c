/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_doc: see metric_doc.h. */
#include "aggregate/metric_doc.h"

#include "aggregate/stat_sheet.h"
#include "base/str.h"
#include "event/topdown.h"

#include <math.h>

/* An event's count on a row; of what CPUs share the sum over all units, in their own measure. */
static struct wp_count scaled_count_of(const struct wp_event_set *events,
				       const struct wp_counts *counts, size_t row, size_t index,
				       double *ret)
{
	const struct wp_event *event = &events->events.v[index];
	struct wp_count count = {0};
	uint64_t scaled;

	if (event->unit) {
		wp_stat_sum_units(events, counts, index, &count, &scaled);
		*ret = (double)scaled * (event->scale != 0 ? event->scale : 1);
	} else if (row != SIZE_MAX) {
		count = *wp_counts_at(counts, row, index);
		*ret = (double)wp_count_scaled(&count);
	}
	return count;
}

/* NULL: *ret is its value. Else why it has none. */
static const char *compute_metric(const struct wp_metric_use *use,
				  const struct wp_event_set *events, const struct wp_counts *counts,
				  size_t row, double *ret)
{
	size_t n = use->formula.names.n;
	wp_autofree double *values = wp_calloc(n + 1, sizeof(*values));
	struct wp_formula_result result;

	for (size_t i = 0; i < n; i++) {
		struct wp_count count =
			scaled_count_of(events, counts, row, use->events[i], &values[i]);
		enum wp_cell_kind kind = wp_count_kind(&events->events.v[use->events[i]], &count);

		if (kind == WP_CELL_NOT_IMPLEMENTED)
			return "<not implemented>";
		if (kind == WP_CELL_NOT_COUNTED)
			values[i] = NAN;
	}
	result = wp_formula_eval(&use->formula, values);
	switch (result.state) {
	case WP_FORMULA_MISSING: return "<not counted>";
	case WP_FORMULA_ZERO_DIVIDE: return "<division by zero>";
	default: *ret = result.value; return NULL;
	}
}

const char *wp_metric_text(const struct wp_metric_use *use, const struct wp_event_set *events,
			   const struct wp_counts *counts, size_t row, struct wp_arena *arena)
{
	double value;
	const char *why = compute_metric(use, events, counts, row, &value);

	return why ? why : wp_arena_printf(arena, "%.3f", value);
}

const char *wp_metric_number(const struct wp_metric_use *use, const struct wp_event_set *events,
			     const struct wp_counts *counts, size_t row, struct wp_arena *arena)
{
	double value;

	if (compute_metric(use, events, counts, row, &value))
		return NULL;
	return wp_arena_printf(arena, "%.3f", value);
}

static const char *core_text(struct wp_doc *doc, uint32_t cpu)
{
	return cpu == WP_ANY_CPU ? "all" : wp_arena_printf(&doc->arena, "%u", cpu);
}

static void add_metric_rows(struct wp_doc *doc, struct wp_table *table,
			    const struct wp_stat_info *info, const struct wp_counts *counts,
			    size_t row)
{
	uint32_t cpu = row == SIZE_MAX ? WP_ANY_CPU : counts->cpus.v[row];
	struct wp_arena *arena = &doc->arena;

	wp_vec_each (const struct wp_metric_use, use, &info->metrics->uses)
		wp_table_add(
			table,
			(struct wp_cell[]){
				wp_cell_str(core_text(doc, cpu)),
				wp_cell_str(wp_arena_strdup(arena, info->metrics->product)),
				wp_cell_str(wp_arena_strdup(arena, use->name)),
				wp_cell_str(wp_metric_text(use, info->events, counts, row, arena)),
				wp_cell_str(wp_arena_strdup(arena, use->unit)),
			});
}

static void add_metric_table(struct wp_doc *doc, struct wp_node *parent,
			     const struct wp_stat_info *info, const struct wp_counts *counts)
{
	struct wp_table *table;
	size_t cores = 0;

	wp_doc_prose(doc, parent, "\nTelemetry Solution Metrics:\n");
	table = wp_doc_table(doc, parent, "Telemetry_Solution_Metrics");
	wp_table_column(table, "core", WP_ALIGN_RIGHT);
	wp_table_column(table, "product_name", WP_ALIGN_LEFT);
	wp_table_column(table, "metric_name", WP_ALIGN_LEFT);
	wp_table_column(table, "value", WP_ALIGN_RIGHT);
	wp_table_column(table, "unit", WP_ALIGN_LEFT);
	for (size_t row = 0; row < counts->cpus.n; row++)
		if (wp_counts_has_core(counts, info->events, row)) {
			add_metric_rows(doc, table, info, counts, row);
			cores++;
		}
	if (!cores) /* only of what CPUs share */
		add_metric_rows(doc, table, info, counts, SIZE_MAX);
}

/* The tree as text shows it, indented, and as data has it, with the level. */
struct tree {
	struct wp_table *text, *data;
};

static struct tree tree_tables(struct wp_doc *doc, struct wp_node *parent)
{
	struct wp_node *shown = wp_doc_object(doc, parent, "tree");
	struct tree tree = {.text = wp_doc_table(doc, shown, "Topdown")};

	shown->only = WP_TEXT_ONLY;
	wp_table_column(tree.text, "core", WP_ALIGN_RIGHT);
	wp_table_column(tree.text, "metric", WP_ALIGN_LEFT);
	wp_table_column(tree.text, "value", WP_ALIGN_RIGHT);
	wp_table_column(tree.text, "unit", WP_ALIGN_LEFT);
	wp_table_column(tree.text, "look next at", WP_ALIGN_RAGGED);
	tree.data = wp_doc_table(doc, parent, "Topdown");
	parent->last->only = WP_DATA_ONLY;
	wp_table_column(tree.data, "core", WP_ALIGN_RIGHT);
	wp_table_column(tree.data, "level", WP_ALIGN_RIGHT);
	wp_table_column(tree.data, "metric", WP_ALIGN_LEFT);
	wp_table_column(tree.data, "value", WP_ALIGN_RIGHT);
	wp_table_column(tree.data, "unit", WP_ALIGN_LEFT);
	wp_table_column(tree.data, "next", WP_ALIGN_LEFT);
	return tree;
}

static void add_topdown_row(struct wp_doc *doc, const struct tree *tree,
			    const struct wp_topdown_row *node, uint32_t cpu, const char *value)
{
	struct wp_arena *arena = &doc->arena;
	const char *core = core_text(doc, cpu), *metric = wp_arena_strdup(arena, node->metric);
	const char *unit = wp_arena_strdup(arena, node->unit ? node->unit : "");
	const char *next = wp_arena_strdup(arena, node->next ? node->next : "");

	wp_table_add(tree->text,
		     (struct wp_cell[]){wp_cell_str(core),
					wp_cell_str(wp_arena_printf(
						arena, "%*s%s", 2 * (node->level - 1), "", metric)),
					wp_cell_str(value), wp_cell_str(unit), wp_cell_str(next)});
	wp_table_add(tree->data,
		     (struct wp_cell[]){wp_cell_str(core), wp_cell_number((uint64_t)node->level),
					wp_cell_str(metric), wp_cell_str(value), wp_cell_str(unit),
					wp_cell_str(next)});
}

/* What could not be counted, and what the tree does not have, in words. */
static void add_notes(struct wp_doc *doc, struct wp_node *parent, const struct wp_topdown *topdown)
{
	bool any = topdown->note;

	wp_vec_each (const struct wp_topdown_row, node, &topdown->rows)
		any |= node->missing != NULL;
	if (!any)
		return;
	wp_doc_prose(doc, parent, "\n");
	wp_vec_each (const struct wp_topdown_row, node, &topdown->rows)
		if (node->missing)
			wp_doc_prose(doc, parent, "note: %s: %s\n", node->metric, node->missing);
	if (topdown->note)
		wp_doc_prose(doc, parent, "note: %s\n", topdown->note);
}

static void add_topdown_tables(struct wp_doc *doc, struct wp_node *core,
			       const struct wp_stat_info *info, const struct wp_counts *counts)
{
	const struct wp_topdown *topdown = info->topdown;
	struct wp_node *parent = wp_doc_object(doc, core, "topdown");

	wp_doc_prose(doc, parent, "\nTop-down:\n");
	struct tree tree = tree_tables(doc, parent);
	for (size_t row = 0; row < counts->cpus.n; row++) {
		if (!wp_counts_has_core(counts, info->events, row))
			continue;
		wp_vec_each (const struct wp_topdown_row, node, &topdown->rows) {
			const struct wp_metric_use *use =
				wp_metric_plan_find(info->metrics, node->metric);

			add_topdown_row(
				doc, &tree, node, counts->cpus.v[row],
				use ? wp_metric_text(use, info->events, counts, row, &doc->arena)
				    : "<not counted>");
		}
	}
	add_notes(doc, parent, topdown);
}

void wp_metric_doc_add(struct wp_doc *doc, struct wp_node *core, const struct wp_stat_info *info,
		       const struct wp_counts *counts)
{
	struct wp_node *metrics = wp_doc_object(doc, core, "ts_metric");

	if (info->metrics && info->metrics->uses.n)
		add_metric_table(doc, metrics, info, counts);
	if (info->topdown && info->metrics)
		add_topdown_tables(doc, core, info, counts);
}
