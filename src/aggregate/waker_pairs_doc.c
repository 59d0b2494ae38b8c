/* SPDX-License-Identifier: BSD-3-Clause */
/* waker_pairs_doc: see waker_pairs_doc.h. Text has "file:line" in one column, JSON and CSV in two.
 */
#include "aggregate/waker_pairs_doc.h"

/* Columns of one of the two sides. */
struct ended_side {
	const char *function, *place, *thread;			      /* in text */
	const char *data_function, *data_file, *data_line, *data_tid; /* in JSON and CSV */
};

static const struct ended_side waiting_side = {"who waits", "at",   "thread", "function",
					       "file",	    "line", "tid"};
static const struct ended_side ending_side = {
	"in", "at", "its thread", "waker_function", "waker_file", "waker_line", "waker_tid"};

#define CELLS_MAX 16

static void put_ended_columns(struct wp_table *table, const struct ended_side *side, bool threads,
			      bool data)
{
	if (threads)
		wp_table_symbol_column(table, data ? side->data_tid : side->thread,
				       WP_ALIGN_RAGGED);
	wp_table_symbol_column(table, data ? side->data_function : side->function, WP_ALIGN_LEFT);
	wp_table_path_column(table, data ? side->data_file : side->place,
			     data ? WP_ALIGN_LEFT : WP_ALIGN_RAGGED);
	if (data)
		wp_table_column(table, side->data_line, WP_ALIGN_RIGHT);
}

static const struct wp_symbol *symbol_of_ended(const struct wp_symbol_set *symbols,
					       const struct wp_waker_place *place)
{
	static const struct wp_symbol unknown = {.name = "unknown", .module = WP_NO_MODULE};
	static const struct wp_symbol nowhere = {.name = "", .module = WP_NO_MODULE};

	if (place->symbol == WP_WAKER_NOWHERE)
		return &nowhere;
	return place->symbol < symbols->symbols.n ? &symbols->symbols.v[place->symbol] : &unknown;
}

/* Python's sources have lines, what is native its module. */
static const char *place_text(struct wp_doc *doc, const struct wp_symbol *symbol, const char *file,
			      const char *name, uint32_t line)
{
	if (line)
		return wp_arena_printf(&doc->arena, "%s:%u", file, line);
	if (symbol->kind == WP_SYMBOL_PYTHON && *file)
		return wp_arena_printf(&doc->arena, "%s:?", file);
	return wp_arena_strdup(&doc->arena, name);
}

static struct wp_cell tid_cell(struct wp_doc *doc, const struct wp_thread_names *threads,
			       uint32_t tid, bool data)
{
	if (!tid)
		return data ? (struct wp_cell){0} : wp_cell_str("");
	return data ? wp_cell_number(tid)
		    : wp_cell_str(wp_thread_names_text(threads, tid, &doc->arena));
}

/* Returns how many cells that takes. */
static size_t put_ended_cells(struct wp_doc *doc, const struct wp_waker_pairs_report *report,
			      uint32_t index, bool data, struct wp_cell *cells)
{
	const struct wp_waker_place *place = &report->pairs->places.v[index];
	const struct wp_symbol *symbol = symbol_of_ended(report->symbols, place);
	bool has_module = symbol->module < report->symbols->modules.n;
	const struct wp_module *module =
		has_module ? &report->symbols->modules.v[symbol->module] : NULL;
	const char *file = module ? module->path : "", *name = module ? module->name : "";
	size_t n = 0;

	if (report->threads)
		cells[n++] = tid_cell(doc, report->threads, place->tid, data);
	cells[n++] =
		wp_cell_str(wp_arena_strdup(&doc->arena, symbol->name ? symbol->name : "unknown"));
	if (!data) {
		cells[n++] = wp_cell_str(place_text(doc, symbol, file, name, place->line));
		return n;
	}
	cells[n++] = wp_cell_str(wp_arena_strdup(&doc->arena, file));
	cells[n++] = place->line ? wp_cell_number(place->line) : (struct wp_cell){0};
	return n;
}

static void put_waker_row(struct wp_doc *doc, struct wp_table *table,
			  const struct wp_waker_pairs_report *report,
			  const struct wp_waker_row *row, bool data)
{
	const struct wp_strpool *texts = &report->pairs->texts;
	struct wp_cell cells[CELLS_MAX] = {
		wp_cell_real(wp_percent(row->ns, report->pairs->ns), 2),
		wp_cell_number(row->ns),
		wp_cell_number(row->waits),
		row->delayed ? wp_cell_number(row->delay_ns) : (struct wp_cell){0},
		wp_cell_str(wp_arena_strdup(&doc->arena, wp_strpool_get(texts, row->kind))),
	};
	size_t n = 5;

	n += put_ended_cells(doc, report, row->waiter, data, &cells[n]);
	cells[n++] = wp_cell_str(wp_arena_strdup(&doc->arena, wp_strpool_get(texts, row->name)));
	put_ended_cells(doc, report, row->ender, data, &cells[n]);
	wp_table_add(table, cells);
}

static void put_waker_table(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_waker_pairs_report *report, bool data)
{
	const struct wp_waker_pairs *pairs = report->pairs;
	struct wp_table *table = wp_doc_table(doc, parent, "wakers");
	uint64_t limit = data ? report->rows : report->text_rows;

	parent->last->only = data ? WP_DATA_ONLY : WP_TEXT_ONLY;
	wp_table_share_column(table, "share");
	wp_table_column(table, "ns", WP_ALIGN_RIGHT);
	wp_table_column(table, "waits", WP_ALIGN_RIGHT);
	wp_table_column(table, data ? "delay_ns" : "delay", WP_ALIGN_RIGHT);
	wp_table_column(table, data ? "kind" : "waits for", WP_ALIGN_LEFT);
	put_ended_columns(table, &waiting_side, report->threads, data);
	wp_table_symbol_column(table, data ? "waker" : "ended by", WP_ALIGN_LEFT);
	put_ended_columns(table, &ending_side, report->threads, data);
	for (size_t i = 0; i < pairs->rows.n && i < limit; i++)
		put_waker_row(doc, table, report, &pairs->rows.v[i], data);
	if (!data && pairs->rows.n > limit)
		wp_doc_prose(doc, parent, "%17s%zu more\n", "", pairs->rows.n - (size_t)limit);
}

void wp_waker_pairs_doc(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_waker_pairs_report *report, const char *event)
{
	wp_doc_prose(doc, parent,
		     "\n======================== who ended whose waits: %s "
		     "========================\n",
		     event);
	put_waker_table(doc, parent, report, false);
	put_waker_table(doc, parent, report, true);
}
