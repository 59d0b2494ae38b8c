/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_kinds_doc: see wait_kinds_doc.h. Text has what is waited on in one column, JSON and CSV
 * have descriptor and name in two; file and line likewise. */
#include "aggregate/wait_kinds_doc.h"

#include <inttypes.h>

#define CELLS_MAX 13

static void put_kind_columns(struct wp_table *table, bool python, bool data)
{
	static const char *const numbers[] = {"ns", "waits", "p50", "p90", "p99", "longest"};

	wp_table_share_column(table, "share");
	for (size_t i = 0; i < WP_ARRAY_LEN(numbers); i++)
		wp_table_column(table, numbers[i], WP_ALIGN_RIGHT);
	wp_table_column(table, data ? "kind" : "waits for", WP_ALIGN_LEFT);
	if (data)
		wp_table_column(table, "fd", WP_ALIGN_RIGHT);
	wp_table_path_column(table, "on", python || data ? WP_ALIGN_LEFT : WP_ALIGN_RAGGED);
	if (!python && !data)
		return;
	wp_table_symbol_column(table, "function", WP_ALIGN_LEFT);
	wp_table_path_column(table, data ? "file" : "at", data ? WP_ALIGN_LEFT : WP_ALIGN_RAGGED);
	if (data)
		wp_table_column(table, "line", WP_ALIGN_RIGHT);
}

/* "4 pipe:[7]", "4 ?" of one that was gone, "process 12", "". */
static size_t put_object_cells(struct wp_doc *doc, const struct wp_wait_kind_row *row,
			       const char *on, bool data, struct wp_cell *cells)
{
	if (data) {
		cells[0] = row->fd >= 0 ? wp_cell_number((uint64_t)row->fd) : (struct wp_cell){0};
		cells[1] =
			wp_cell_str(wp_arena_strdup(&doc->arena, row->fd >= 0 && !*on ? "?" : on));
		return 2;
	}
	cells[0] = wp_cell_str(
		row->fd >= 0 ? wp_arena_printf(&doc->arena, "%d %s", row->fd, *on ? on : "?")
			     : wp_arena_strdup(&doc->arena, on));
	return 1;
}

static void put_waiter_cells(struct wp_doc *doc, const struct wp_symbol_set *symbols,
			     const struct wp_wait_kind_row *row, bool data, struct wp_cell *cells)
{
	static const struct wp_symbol unknown = {.name = "unknown", .module = WP_NO_MODULE};
	static const struct wp_symbol nowhere = {.name = "", .module = WP_NO_MODULE};
	bool is_somewhere = row->symbol != WP_WAIT_KIND_NOWHERE;
	const struct wp_symbol *symbol = row->symbol < symbols->symbols.n
						 ? &symbols->symbols.v[row->symbol]
					 : is_somewhere ? &unknown
							: &nowhere;
	const char *file =
		symbol->module == WP_NO_MODULE ? "" : symbols->modules.v[symbol->module].path;

	cells[0] = wp_cell_str(wp_arena_strdup(&doc->arena, symbol->name ? symbol->name : ""));
	if (data) {
		cells[1] = wp_cell_str(wp_arena_strdup(&doc->arena, file));
		cells[2] = row->line ? wp_cell_number(row->line) : (struct wp_cell){0};
	} else if (row->line) {
		cells[1] = wp_cell_str(wp_arena_printf(&doc->arena, "%s:%u", file, row->line));
	} else {
		cells[1] =
			wp_cell_str(wp_arena_printf(&doc->arena, "%s%s", file, *file ? ":?" : ""));
	}
}

static void put_kind_row(struct wp_doc *doc, struct wp_table *table,
			 const struct wp_wait_kinds_report *report,
			 const struct wp_wait_kind_row *row, bool python, bool data)
{
	const struct wp_strpool *texts = &report->kinds->texts;
	struct wp_cell cells[CELLS_MAX] = {
		wp_cell_real(wp_percent(row->ns, report->kinds->ns), 2),
		wp_cell_number(row->ns),
		wp_cell_number(row->waits),
		wp_cell_number(row->p50_ns),
		wp_cell_number(row->p90_ns),
		wp_cell_number(row->p99_ns),
		wp_cell_number(row->longest_ns),
		wp_cell_str(wp_arena_strdup(&doc->arena, wp_strpool_get(texts, row->kind))),
	};
	size_t n = 8;

	n += put_object_cells(doc, row, wp_strpool_get(texts, row->on), data, &cells[n]);
	if (python || data)
		put_waiter_cells(doc, report->symbols, row, data, &cells[n]);
	wp_table_add(table, cells);
}

static bool has_place(const struct wp_wait_kinds *kinds)
{
	wp_vec_each (const struct wp_wait_kind_row, row, &kinds->rows)
		if (row->symbol != WP_WAIT_KIND_NOWHERE)
			return true;
	return false;
}

static void put_kind_table(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_wait_kinds_report *report, bool data)
{
	const struct wp_wait_kinds *kinds = report->kinds;
	struct wp_table *table = wp_doc_table(doc, parent, "waits");
	uint64_t limit = data ? report->rows : report->text_rows;
	bool python = has_place(kinds);

	parent->last->only = data ? WP_DATA_ONLY : WP_TEXT_ONLY;
	put_kind_columns(table, python, data);
	for (size_t i = 0; i < kinds->rows.n && i < limit; i++)
		put_kind_row(doc, table, report, &kinds->rows.v[i], python, data);
	if (!data && kinds->rows.n > limit)
		wp_doc_prose(doc, parent, "%17s%zu more\n", "", kinds->rows.n - (size_t)limit);
}

void wp_wait_kinds_doc(struct wp_doc *doc, struct wp_node *parent,
		       const struct wp_wait_kinds_report *report, const char *event)
{
	wp_doc_prose(doc, parent,
		     "\n======================== what threads wait for: %s "
		     "========================\n",
		     event);
	put_kind_table(doc, parent, report, false);
	put_kind_table(doc, parent, report, true);
	if (report->kinds->unranked)
		wp_doc_prose(doc, parent,
			     "%17s%" PRIu64 " waits found no room and are in no percentile\n", "",
			     report->kinds->unranked);
}
