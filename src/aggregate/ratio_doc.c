/* SPDX-License-Identifier: BSD-3-Clause */
/* ratio_doc: see ratio_doc.h. */
#include "aggregate/ratio_doc.h"

#include "base/keyed.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* What both events counted at a place; sorted by what is divided by. */
struct row {
	const char *place;
	uint64_t over, under;
};

struct rows {
	WP_VEC(struct row) v;
	struct wp_map index_of; /* what tells places apart -> index + 1 */
};

/* Without its modifiers: "cycles:u" is "cycles" too. */
static bool has_event_name(const struct wp_event *event, const char *name, size_t n)
{
	size_t whole = strlen(event->name);

	return strncmp(event->name, name, n) == 0 && (n == whole || event->name[n] == ':');
}

static bool find_named_event(const struct wp_event_set *events, const char *name, size_t n,
			     uint32_t *ret)
{
	for (uint32_t i = 0; i < events->events.n; i++)
		if (n && has_event_name(&events->events.v[i], name, n)) {
			*ret = i;
			return true;
		}
	return false;
}

struct wp_err *wp_ratio_find(const struct wp_event_set *events, const char *text,
			     uint32_t *ret_over, uint32_t *ret_under)
{
	wp_autostr struct wp_str names = {0};

	/* Names of events have slashes themselves. */
	for (const char *slash = strchr(text, '/'); slash; slash = strchr(slash + 1, '/'))
		if (find_named_event(events, text, (size_t)(slash - text), ret_over) &&
		    find_named_event(events, slash + 1, strlen(slash + 1), ret_under))
			return NULL;
	wp_vec_each (struct wp_event, event, &events->events)
		wp_str_printf(&names, "%s%s", names.len ? ", " : "", event->name);
	return wp_err_new(WP_ERR_USAGE,
			  "--ratio %s: want A/B, two of the events that are sampled: %s", text,
			  names.s);
}

struct wp_err *wp_ratio_check(const struct wp_event_set *events, const char *text)
{
	uint32_t over, under;

	return text ? wp_ratio_find(events, text, &over, &under) : NULL;
}

static void add_functions(struct wp_doc *doc, const struct wp_ratio_report *report, uint32_t event,
			  struct rows *rows)
{
	if (event >= report->flat->events.n)
		return;
	wp_vec_each (struct wp_flat_row, flat, &report->flat->events.v[event].rows) {
		const struct wp_symbol *symbol = &report->names.symbols->symbols.v[flat->symbol];
		const char *text = wp_hot_text(&doc->arena, symbol, &report->names);
		struct row *row;

		row = wp_keyed_put(&rows->v, &rows->index_of, flat->symbol, (struct row){text});
		*(event == report->over ? &row->over : &row->under) += flat->weight;
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->place, ((const struct row *)b)->place);
}

static int by_under(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->under != y->under)
		return x->under < y->under ? 1 : -1;
	if (x->over != y->over)
		return x->over < y->over ? 1 : -1;
	return strcmp(x->place, y->place);
}

/* Symbols that read the same are one place. */
static void merge_rows(struct rows *rows)
{
	size_t n = 0;

	if (!rows->v.n)
		return;
	qsort(rows->v.v, rows->v.n, sizeof(*rows->v.v), by_text);
	for (size_t i = 0; i < rows->v.n; i++)
		if (n && strcmp(rows->v.v[n - 1].place, rows->v.v[i].place) == 0) {
			rows->v.v[n - 1].over += rows->v.v[i].over;
			rows->v.v[n - 1].under += rows->v.v[i].under;
		} else {
			rows->v.v[n++] = rows->v.v[i];
		}
	rows->v.n = n;
	qsort(rows->v.v, rows->v.n, sizeof(*rows->v.v), by_under);
}

static const char *line_place(struct wp_doc *doc, const struct wp_ratio_report *report,
			      const struct wp_spot_row *spot)
{
	const struct wp_symbol_set *set = report->names.symbols;
	const struct wp_symbol *symbol =
		spot->symbol < set->symbols.n ? &set->symbols.v[spot->symbol] : NULL;
	const char *file = symbol && symbol->module != WP_NO_MODULE
				   ? set->modules.v[symbol->module].path
				   : "?";

	return wp_arena_printf(&doc->arena, "%s %s:%u",
			       symbol && symbol->name ? symbol->name : "unknown", file, spot->line);
}

static void add_lines(struct wp_doc *doc, const struct wp_ratio_report *report, uint32_t event,
		      struct rows *rows)
{
	if (event >= report->spots->events.n)
		return;
	wp_vec_each (struct wp_spot_row, spot, &report->spots->events.v[event].lines) {
		struct row *row;

		if (!spot->self_weight)
			continue;
		row = wp_keyed_put(&rows->v, &rows->index_of,
				   (uint64_t)spot->symbol << 32 | spot->line,
				   (struct row){line_place(doc, report, spot)});
		*(event == report->over ? &row->over : &row->under) += spot->self_weight;
	}
}

static double weight_of(const struct wp_event *event, uint64_t weight)
{
	return event->is_clock ? (double)weight / 1e6 : (double)weight;
}

static struct wp_cell weight_cell(const struct wp_event *event, uint64_t weight)
{
	return event->is_clock ? wp_cell_real(weight_of(event, weight), 3) : wp_cell_number(weight);
}

static const char *ratio_unit_of(const struct wp_event *event)
{
	return event->is_clock ? "ms" : "events";
}

static const char *heading_of(struct wp_doc *doc, const struct wp_event *event)
{
	return event->is_clock ? wp_arena_printf(&doc->arena, "%s ms", event->name) : event->name;
}

static void put_ratio_rows(struct wp_doc *doc, struct wp_node *parent, bool lines,
			   const struct wp_ratio_report *report, const struct rows *rows)
{
	const struct wp_event *over = &report->events->events.v[report->over];
	const struct wp_event *under = &report->events->events.v[report->under];
	struct wp_table *table = wp_doc_table(doc, parent, lines ? "python_lines" : "functions");

	wp_table_column(table, "ratio", WP_ALIGN_RIGHT);
	wp_table_column(table, heading_of(doc, over), WP_ALIGN_RIGHT)->key = "over";
	wp_table_column(table, heading_of(doc, under), WP_ALIGN_RIGHT)->key = "under";
	wp_table_symbol_column(table, lines ? "python line" : "symbol", WP_ALIGN_LEFT);
	for (size_t i = 0; i < rows->v.n && i < report->rows; i++) {
		const struct row *row = &rows->v.v[i];
		double by = weight_of(under, row->under);
		struct wp_cell cells[4] = {
			by > 0 ? wp_cell_real(weight_of(over, row->over) / by, 3)
			       : (struct wp_cell){.kind = WP_CELL_EMPTY},
			weight_cell(over, row->over),
			weight_cell(under, row->under),
			wp_cell_str(row->place),
		};

		wp_table_add(table, cells);
	}
}

static void deinit_rows(struct rows *rows)
{
	wp_vec_deinit(&rows->v);
	wp_map_deinit(&rows->index_of);
}

static void put_ratio_table(struct wp_doc *doc, struct wp_node *parent, bool lines,
			    const struct wp_ratio_report *report)
{
	void (*add)(struct wp_doc *, const struct wp_ratio_report *, uint32_t, struct rows *) =
		lines ? add_lines : add_functions;
	struct rows rows = {0};

	add(doc, report, report->over, &rows);
	add(doc, report, report->under, &rows);
	merge_rows(&rows);
	if (lines && rows.v.n)
		wp_doc_prose(doc, parent, "\n");
	put_ratio_rows(doc, parent, lines, report, &rows);
	deinit_rows(&rows);
}

void wp_ratio_doc(struct wp_doc *doc, struct wp_node *parent, const struct wp_ratio_report *report)
{
	const struct wp_event *over = &report->events->events.v[report->over];
	const struct wp_event *under = &report->events->events.v[report->under];
	struct wp_node *ratio = wp_doc_object(doc, parent, "ratio");

	wp_doc_prose(doc, ratio,
		     "\n======================== ratio: %s / %s ========================\n",
		     heading_of(doc, over), heading_of(doc, under));
	wp_doc_str(doc, ratio, "over", over->name);
	wp_doc_str(doc, ratio, "under", under->name);
	wp_doc_str(doc, ratio, "over_unit", ratio_unit_of(over));
	wp_doc_str(doc, ratio, "under_unit", ratio_unit_of(under));
	put_ratio_table(doc, ratio, false, report);
	if (report->spots)
		put_ratio_table(doc, ratio, true, report);
}
