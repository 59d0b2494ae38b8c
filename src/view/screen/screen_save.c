/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_save: see screen_save.h. */
#include "view/screen/screen_save.h"

#include "view/view.h"

#include <string.h>

static void copy_columns(struct wp_table *table, const struct wp_table *from)
{
	for (size_t i = 0; i < from->n_columns; i++) {
		struct wp_column *column =
			wp_table_column(table, from->columns[i].heading, from->columns[i].align);

		*column = from->columns[i];
	}
}

static void put_branch_row(struct wp_table *table, const struct wp_screen_row *row)
{
	const struct wp_node *branch = row->branch;
	const char *name =
		wp_arena_printf(table->arena, "%*s%s", (int)row->depth, "", branch->shares.text);

	wp_table_add(table, (struct wp_cell[]){wp_cell_real(branch->shares.pct[0], 2),
					       wp_cell_real(branch->shares.pct[1], 2),
					       wp_cell_number(row->depth), wp_cell_str(name)});
}

static void put_visible_rows(struct wp_table *table, const struct wp_screen_page *page)
{
	for (size_t i = 0; i < page->visible.n; i++) {
		const struct wp_screen_row *row = &page->rows.v[page->visible.v[i]];

		if (row->kind == WP_SCREEN_CELLS)
			wp_table_add(table, row->cells);
		else if (row->kind == WP_SCREEN_BRANCH)
			put_branch_row(table, row);
	}
}

static void put_notes(struct wp_doc *doc, const struct wp_screen_page *page, bool foot)
{
	for (size_t i = 0; i < page->visible.n; i++) {
		const struct wp_screen_row *row = &page->rows.v[page->visible.v[i]];

		if (row->kind == WP_SCREEN_NOTE && row->is_foot == foot)
			wp_doc_prose(doc, doc->root, "%.*s\n", (int)row->note.length,
				     row->note.text);
	}
}

/* The page as a document of its own. */
static struct wp_doc *doc_of_page(const struct wp_screen_page *page)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table;

	wp_doc_prose(doc, doc->root, "======== %s ========\n", page->title);
	wp_doc_str(doc, doc->root, "title", page->title);
	put_notes(doc, page, false);
	table = wp_doc_table(doc, doc->root, "rows");
	if (page->table) {
		copy_columns(table, page->table);
	} else if (page->headings) {
		wp_table_share_column(table, page->headings[0]);
		wp_table_share_column(table, page->headings[1]);
		wp_table_column(table, "depth", WP_ALIGN_RIGHT);
		wp_table_symbol_column(table, page->headings[2], WP_ALIGN_RAGGED);
	}
	put_visible_rows(table, page);
	put_notes(doc, page, true);
	return doc;
}

struct wp_err *wp_screen_save(const struct wp_screen_page *page, const char *path)
{
	const struct wp_view_ops *view = wp_str_has_suffix(path, ".csv")    ? &wp_view_csv
					 : wp_str_has_suffix(path, ".json") ? &wp_view_json
									    : &wp_view_text;
	struct wp_writer *out;
	struct wp_doc *doc;

	TRY(wp_writer_create(path, &out));
	doc = doc_of_page(page);
	view->render(doc, out);
	wp_doc_free(doc);
	return wp_writer_close(out);
}
