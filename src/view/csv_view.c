/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_view: a document as CSV: `key,value` lines, an empty line, then each table with its headings
 * (and a line of group names above them), every row ending in a comma, and an empty line behind
 * it. That is the layout of WindowsPerf's timeline files.
 */
#include "view/csv_text.h"
#include "view/view.h"

#include <string.h>

static void put_csv_cell(struct wp_writer *out, const struct wp_cell *cell)
{
	switch (cell->kind) {
	case WP_CELL_STR: wp_csv_text_put(out, cell->str); break;
	case WP_CELL_COUNT:
	case WP_CELL_NUMBER: wp_writer_printf(out, "%llu", (unsigned long long)cell->number); break;
	case WP_CELL_REAL:
		wp_writer_printf(out, "%.*f", cell->real.decimals, cell->real.value);
		break;
	case WP_CELL_NOT_COUNTED: wp_writer_puts(out, "<not counted>"); break;
	case WP_CELL_NOT_IMPLEMENTED: wp_writer_puts(out, "<not implemented>"); break;
	case WP_CELL_NOT_SUPPORTED: wp_writer_puts(out, "<not supported>"); break;
	case WP_CELL_EMPTY:
	case WP_CELL_TABLE: /* has no place in a line */ break;
	}
	wp_writer_puts(out, ",");
}

static bool has_groups(const struct wp_table *table)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (table->columns[i].group)
			return true;
	return false;
}

static void put_heading_line(struct wp_writer *out, const struct wp_table *table, bool groups)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		const char *text = groups ? table->columns[i].group : table->columns[i].heading;

		if (text)
			wp_csv_text_put(out, text);
		wp_writer_puts(out, ",");
	}
	wp_writer_puts(out, "\n");
}

void wp_view_csv_row(const struct wp_table *table, size_t row, struct wp_writer *out)
{
	for (size_t i = 0; i < table->n_columns; i++)
		put_csv_cell(out, &table->rows.v[row][i]);
	wp_writer_puts(out, "\n");
}

static void put_csv_table(struct wp_writer *out, const struct wp_table *table)
{
	if (has_groups(table))
		put_heading_line(out, table, true);
	put_heading_line(out, table, false);
	for (size_t row = 0; row < table->rows.n; row++)
		wp_view_csv_row(table, row, out);
	wp_writer_puts(out, "\n");
}

static void put_csv_value(struct wp_writer *out, const struct wp_node *node)
{
	wp_csv_text_put(out, node->key ? node->key : "");
	wp_writer_puts(out, ",");
	switch (node->kind) {
	case WP_NODE_STR: wp_csv_text_put(out, node->str); break;
	case WP_NODE_INT: wp_writer_printf(out, "%lld", (long long)node->integer); break;
	case WP_NODE_REAL:
		if (node->real.decimals < 0)
			wp_writer_printf(out, "%.6g", node->real.value);
		else
			wp_writer_printf(out, "%.*f", node->real.decimals, node->real.value);
		break;
	case WP_NODE_BOOL: wp_writer_puts(out, node->boolean ? "TRUE" : "FALSE"); break;
	default: break;
	}
	wp_writer_puts(out, "\n");
}

/* Everything below parent in order; an empty line divides values from a table that follows. */
static void put_csv_children(struct wp_writer *out, const struct wp_node *parent, bool *in_values)
{
	wp_node_each (node, parent) {
		if (node->only == WP_TEXT_ONLY || node->kind == WP_NODE_PROSE ||
		    node->kind == WP_NODE_TREE || node->kind == WP_NODE_SHARES)
			continue;
		if (node->kind == WP_NODE_OBJECT || node->kind == WP_NODE_ARRAY) {
			put_csv_children(out, node, in_values);
		} else if (node->kind == WP_NODE_TABLE) {
			if (*in_values)
				wp_writer_puts(out, "\n");
			*in_values = false;
			put_csv_table(out, node->table);
		} else {
			*in_values = true;
			put_csv_value(out, node);
		}
	}
}

static void render_csv(const struct wp_doc *doc, struct wp_writer *out)
{
	bool in_values = false;

	put_csv_children(out, doc->root, &in_values);
}

const struct wp_view_ops wp_view_csv = {
	.name = "csv",
	.render = render_csv,
};
