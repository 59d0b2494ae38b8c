/* SPDX-License-Identifier: BSD-3-Clause */
/* gil_waits_doc: see gil_waits_doc.h. Text has "file:line" in one column, JSON and CSV in two. */
#include "aggregate/gil_waits_doc.h"

/* Columns of one of the two sides. */
struct side {
	const char *function, *place;			   /* in text */
	const char *data_function, *data_file, *data_line; /* in JSON and CSV */
	const char *thread, *data_thread, *data_tid;
};

static const struct side waiter = {"who waits", "at",	  "function", "file",
				   "line",	"thread", "thread",   "tid"};
static const struct side holder = {"who has it",  "at",		"holder_function", "holder_file",
				   "holder_line", "its thread", "holder_thread",   "holder_tid"};

#define SIDE_CELLS 5

static void put_side_columns(struct wp_table *table, const struct side *side, bool threads,
			     bool data)
{
	if (threads)
		wp_table_symbol_column(table, data ? side->data_thread : side->thread,
				       WP_ALIGN_RAGGED);
	if (threads && data)
		wp_table_column(table, side->data_tid, WP_ALIGN_RIGHT);
	wp_table_symbol_column(table, data ? side->data_function : side->function, WP_ALIGN_LEFT);
	if (!data) {
		wp_table_path_column(table, side->place, WP_ALIGN_RAGGED);
		return;
	}
	wp_table_column(table, side->data_file, WP_ALIGN_LEFT);
	wp_table_column(table, side->data_line, WP_ALIGN_RIGHT);
}

/* Nobody was seen: a name, and nothing else. */
static const struct wp_symbol *symbol_of_place(const struct wp_python_report *report,
					       const struct wp_gil_place *place)
{
	static const struct wp_symbol unknown = {.name = "unknown", .module = WP_NO_MODULE};
	static const struct wp_symbol nobody = {.name = "not seen", .module = WP_NO_MODULE};

	if (place->symbol == WP_GIL_NOBODY)
		return &nobody;
	return place->symbol < report->symbols->symbols.n
		       ? &report->symbols->symbols.v[place->symbol]
		       : &unknown;
}

static struct wp_cell thread_cell(struct wp_doc *doc, const struct wp_python_report *report,
				  uint32_t tid, bool data)
{
	const char *name = wp_thread_names_get(report->threads, tid);

	if (!tid)
		return wp_cell_str("");
	if (data)
		return wp_cell_str(wp_arena_strdup(&doc->arena, name ? name : ""));
	return wp_cell_str(name ? wp_arena_printf(&doc->arena, "%s %u", name, tid)
				: wp_arena_printf(&doc->arena, "%u", tid));
}

/* Returns how many cells that takes. */
static size_t put_side_cells(struct wp_doc *doc, const struct wp_python_report *report,
			     const struct wp_gil_place *place, bool data, struct wp_cell *cells)
{
	const struct wp_symbol *symbol = symbol_of_place(report, place);
	const char *file = symbol->module == WP_NO_MODULE
				   ? ""
				   : report->symbols->modules.v[symbol->module].path;
	size_t n = 0;

	if (report->threads)
		cells[n++] = thread_cell(doc, report, place->tid, data);
	if (report->threads && data)
		cells[n++] = place->tid ? wp_cell_number(place->tid) : (struct wp_cell){0};
	cells[n++] = wp_cell_str(wp_arena_strdup(&doc->arena, symbol->name ? symbol->name : ""));
	if (data) {
		cells[n++] = wp_cell_str(wp_arena_strdup(&doc->arena, file));
		cells[n++] = place->line ? wp_cell_number(place->line) : (struct wp_cell){0};
	} else if (place->line) {
		cells[n++] = wp_cell_str(wp_arena_printf(&doc->arena, "%s:%u", file, place->line));
	} else {
		cells[n++] =
			wp_cell_str(wp_arena_printf(&doc->arena, "%s%s", file, *file ? ":?" : ""));
	}
	return n;
}

static void put_gil_rows(struct wp_doc *doc, struct wp_node *parent,
			 const struct wp_gil_waits *waits, const struct wp_python_report *report,
			 bool data)
{
	struct wp_table *table = wp_doc_table(doc, parent, "gil_waits");
	uint64_t limit = data ? report->rows : report->text_rows;

	parent->last->only = data ? WP_DATA_ONLY : WP_TEXT_ONLY;
	wp_table_share_column(table, "share");
	wp_table_column(table, "ns", WP_ALIGN_RIGHT);
	put_side_columns(table, &waiter, report->threads, data);
	put_side_columns(table, &holder, report->threads, data);
	for (size_t i = 0; i < waits->rows.n && i < limit; i++) {
		const struct wp_gil_row *row = &waits->rows.v[i];
		struct wp_cell cells[2 + 2 * SIDE_CELLS] = {
			wp_cell_real(wp_percent(row->ns, waits->ns), 2),
			wp_cell_number(row->ns),
		};
		size_t n = 2;

		n += put_side_cells(doc, report, &waits->places.v[row->waiter], data, &cells[n]);
		put_side_cells(doc, report, &waits->places.v[row->holder], data, &cells[n]);
		wp_table_add(table, cells);
	}
	if (!data)
		wp_python_doc_more(doc, parent, report, waits->rows.n,
				   waits->rows.n < limit ? waits->rows.n : limit);
}

void wp_gil_waits_doc_data(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_gil_waits *waits, const struct wp_python_report *report)
{
	if (waits->rows.n)
		put_gil_rows(doc, parent, waits, report, true);
}

void wp_gil_waits_doc_text(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_gil_waits *waits, const struct wp_python_report *report,
			   const char *event)
{
	if (!waits->rows.n)
		return;
	wp_doc_prose(doc, parent,
		     "\n======================== who waits for the GIL, and who has it: %s "
		     "========================\n",
		     event);
	put_gil_rows(doc, parent, waits, report, false);
}
