/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline_doc: see timeline_doc.h. */
#include "aggregate/timeline_doc.h"

#include "aggregate/metric_doc.h"
#include "base/clock.h"

#include <stdlib.h>

void wp_timeline_add(struct wp_timeline *timeline, const struct wp_event_set *events,
		     const struct wp_counts *counts)
{
	wp_vec_push(&timeline->periods, *counts);
	for (unsigned int i = 0; i < WP_EVENT_CLASSES; i++)
		timeline->multiplexed[i] |= wp_counts_multiplexed(counts, events, i);
}

void wp_timeline_deinit(struct wp_timeline *timeline)
{
	wp_vec_each (struct wp_counts, counts, &timeline->periods)
		wp_counts_deinit(counts);
	wp_vec_deinit(&timeline->periods);
}

/* One event on one CPU: a column (with multiplexing two). */
struct column {
	uint32_t cpu;
	size_t event;
};

struct columns {
	WP_VEC(struct column) v;
};

static void list_columns(const struct wp_timeline *timeline, const struct wp_event_set *events,
			 enum wp_event_class class, struct columns *ret)
{
	const struct wp_counts *counts = timeline->periods.v;

	if (!timeline->periods.n)
		return;
	for (size_t row = 0; row < counts->cpus.n; row++)
		for (size_t event = 0; event < counts->n_events; event++)
			if (events->events.v[event].class == class &&
			    wp_counts_at(counts, row, event)->present)
				wp_vec_push(&ret->v, (struct column){counts->cpus.v[row], event});
}

/* What stands above a column: "core 3", or whose process it was. */
static const char *group_text(struct wp_doc *doc, const struct wp_stat_info *info, uint32_t cpu)
{
	if (cpu != WP_ANY_CPU)
		return wp_arena_printf(&doc->arena, "core %u", cpu);
	return info->label ? wp_arena_strdup(&doc->arena, info->label) : "all cores";
}

static void add_columns(struct wp_doc *doc, struct wp_table *table, const struct wp_stat_info *info,
			const struct columns *columns, bool multiplexed)
{
	wp_vec_each (struct column, column, &columns->v) {
		const struct wp_event *event = &info->events->events.v[column->event];
		const char *name = event->name;
		const char *group = event->unit ? wp_arena_strdup(&doc->arena, event->unit)
						: group_text(doc, info, column->cpu);

		wp_table_column(table, wp_arena_strdup(&doc->arena, name), WP_ALIGN_RIGHT);
		table->columns[table->n_columns - 1].group = group;
		if (!multiplexed)
			continue;
		wp_table_column(table, "sched_times", WP_ALIGN_RIGHT);
		table->columns[table->n_columns - 1].group = group;
	}
}

/* A column of each core for each metric: of all cores behind all columns of events. */
static void add_metric_columns(struct wp_doc *doc, struct wp_table *table,
			       const struct wp_stat_info *info, const struct wp_counts *first)
{
	for (size_t row = 0; row < first->cpus.n; row++) {
		if (!wp_counts_has_core(first, info->events, row))
			continue;
		wp_vec_each (const struct wp_metric_use, use, &info->metrics->uses) {
			wp_table_column(table, wp_arena_printf(&doc->arena, "M@%s", use->name),
					WP_ALIGN_RIGHT);
			table->columns[table->n_columns - 1].group =
				group_text(doc, info, first->cpus.v[row]);
		}
	}
}

/* The row of a CPU in another period; SIZE_MAX when it has gone. */
static size_t find_cpu_row(const struct wp_counts *counts, uint32_t cpu)
{
	for (size_t row = 0; row < counts->cpus.n; row++)
		if (counts->cpus.v[row] == cpu)
			return row;
	return SIZE_MAX;
}

/* A CPU that went offline during the timeline has no count any more. */
static struct wp_count column_count_of(const struct wp_counts *counts, const struct column *column)
{
	size_t row = find_cpu_row(counts, column->cpu);

	return row == SIZE_MAX ? (struct wp_count){0} : *wp_counts_at(counts, row, column->event);
}

struct cells {
	WP_VEC(struct wp_cell) v;
};

/* Columns are numbers, which a reader of numbers may rely on: what is not known is an empty cell.
 */
static struct wp_cell number_or_empty(const char *number)
{
	return wp_cell_str(number ? number : "");
}

static void add_metric_cells(struct wp_doc *doc, const struct wp_stat_info *info,
			     const struct wp_counts *first, const struct wp_counts *counts,
			     struct cells *ret)
{
	for (size_t i = 0; i < first->cpus.n; i++) {
		size_t row = find_cpu_row(counts, first->cpus.v[i]);

		if (!wp_counts_has_core(first, info->events, i))
			continue;
		wp_vec_each (const struct wp_metric_use, use, &info->metrics->uses)
			wp_vec_push(&ret->v,
				    number_or_empty(row == SIZE_MAX
							    ? NULL
							    : wp_metric_number(use, info->events,
									       counts, row,
									       &doc->arena)));
	}
}

static void add_cells(const struct wp_event_set *events, const struct wp_counts *counts,
		      const struct columns *columns, bool multiplexed, struct cells *ret)
{
	wp_vec_each (struct column, column, &columns->v) {
		struct wp_count count = column_count_of(counts, column);
		enum wp_cell_kind kind = wp_count_kind(&events->events.v[column->event], &count);

		wp_vec_push(&ret->v,
			    kind == WP_CELL_COUNT ? wp_cell_number(count.value) : wp_cell_str(""));
		if (multiplexed)
			wp_vec_push(&ret->v, wp_cell_number(count.running_ns / WP_NS_PER_MS));
	}
}

struct wp_doc *wp_timeline_csv(const struct wp_timeline *timeline, const struct wp_stat_info *info,
			       enum wp_event_class class, uint64_t interval_ns, size_t first)
{
	struct wp_doc *doc = wp_doc_new();
	bool multiplexed = timeline->multiplexed[class];
	struct columns columns = {0};
	struct wp_table *table;
	bool metrics;

	wp_doc_bool(doc, doc->root, "Multiplexing", multiplexed);
	if (class == WP_EVENT_CORE)
		wp_doc_bool(doc, doc->root, "Kernel mode", info->kernel);
	wp_doc_real(doc, doc->root, "Count interval", (double)interval_ns / (double)WP_NS_PER_S, 2);
	wp_doc_str(doc, doc->root, "Vendor", info->vendor);
	wp_doc_str(doc, doc->root, "Event class", wp_event_class_name(class));
	table = wp_doc_table(doc, doc->root, "timeline");
	list_columns(timeline, info->events, class, &columns);
	add_columns(doc, table, info, &columns, multiplexed);
	metrics = class == WP_EVENT_CORE && info->metrics && timeline->periods.n;
	if (metrics)
		add_metric_columns(doc, table, info, timeline->periods.v);
	for (size_t i = first; i < timeline->periods.n; i++) {
		struct cells cells = {0};

		add_cells(info->events, &timeline->periods.v[i], &columns, multiplexed, &cells);
		if (metrics)
			add_metric_cells(doc, info, timeline->periods.v, &timeline->periods.v[i],
					 &cells);
		if (cells.v.n)
			wp_table_add(table, cells.v.v);
		wp_vec_deinit(&cells.v);
	}
	wp_vec_deinit(&columns.v);
	return doc;
}

/* A number that text does not show. */
static void add_seconds_field(struct wp_doc *doc, const char *key, uint64_t ns)
{
	wp_doc_real(doc, doc->root, key, (double)ns / (double)WP_NS_PER_S, 2)->only = WP_DATA_ONLY;
}

struct wp_doc *wp_timeline_json(const struct wp_timeline *timeline,
				const struct wp_timeline_plan *plan,
				const struct wp_stat_info *info)
{
	struct wp_doc *doc = wp_doc_new();
	uint64_t periods = plan->periods ? plan->periods : timeline->periods.n;
	struct wp_node *array;

	add_seconds_field(doc, "count_duration", plan->count_ns);
	add_seconds_field(doc, "count_interval", plan->interval_ns);
	wp_doc_int(doc, doc->root, "count_timeline", (int64_t)periods)->only = WP_DATA_ONLY;
	array = wp_doc_array(doc, doc->root, "timeline");
	array->only = WP_DATA_ONLY;
	wp_vec_each (struct wp_counts, counts, &timeline->periods)
		wp_stat_doc_add(doc, wp_doc_object(doc, array, NULL), info, counts, false);
	return doc;
}
