/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_view: a document as JSON, in WindowsPerf's manner: one member a line, tables compact, no
 * newline at the end.
 *
 * The output is valid JSON whatever the names in it are; a number that JSON cannot say (NaN,
 * infinity) becomes null.
 */
#include "view/view.h"

#include "view/json_text.h"

#include <math.h>

static void put_document_key(struct wp_writer *out, const char *key, const char *after)
{
	wp_writer_puts(out, "\"");
	wp_json_chars(out, key, '_');
	wp_writer_puts(out, "\"");
	wp_writer_puts(out, after);
}

static void put_real(struct wp_writer *out, double value, int decimals)
{
	if (!isfinite(value))
		wp_writer_puts(out, "null");
	else if (decimals < 0)
		wp_writer_printf(out, "%.6g", value);
	else
		wp_writer_printf(out, "%.*f", decimals, value);
}

static void put_json_table(struct wp_writer *out, const struct wp_table *table);

/* A table that is a cell, in an object if it has a key. */
static void put_nested(struct wp_writer *out, const struct wp_table *table)
{
	if (table->key) {
		wp_writer_puts(out, "{");
		put_document_key(out, table->key, ":");
	}
	put_json_table(out, table);
	if (table->key)
		wp_writer_puts(out, "}");
}

static void put_json_cell(struct wp_writer *out, const struct wp_cell *cell)
{
	switch (cell->kind) {
	case WP_CELL_EMPTY:
	case WP_CELL_NOT_COUNTED:
	case WP_CELL_NOT_SUPPORTED:
	case WP_CELL_NOT_IMPLEMENTED: wp_writer_puts(out, "null"); break;
	case WP_CELL_STR: wp_json_string(out, cell->str); break;
	case WP_CELL_COUNT:
	case WP_CELL_NUMBER: wp_writer_printf(out, "%llu", (unsigned long long)cell->number); break;
	case WP_CELL_REAL: put_real(out, cell->real.value, -1); break;
	case WP_CELL_TABLE: put_nested(out, cell->table); break;
	}
}

static void put_json_table(struct wp_writer *out, const struct wp_table *table)
{
	wp_writer_puts(out, "[");
	for (size_t row = 0; row < table->rows.n; row++) {
		wp_writer_puts(out, row ? ",{" : "{");
		for (size_t i = 0; i < table->n_columns; i++) {
			const struct wp_column *column = &table->columns[i];

			if (column->text_only)
				continue;
			if (i)
				wp_writer_puts(out, ",");
			put_document_key(out, column->key ? column->key : column->heading, ":");
			put_json_cell(out, &table->rows.v[row][i]);
		}
		wp_writer_puts(out, "}");
	}
	wp_writer_puts(out, "]");
}

static void put_json_node(struct wp_writer *out, const struct wp_node *node);

static bool is_data_node(const struct wp_node *node)
{
	return node->kind != WP_NODE_PROSE && node->kind != WP_NODE_TREE &&
	       node->kind != WP_NODE_SHARES && node->only != WP_TEXT_ONLY;
}

static void put_members(struct wp_writer *out, const struct wp_node *parent, const char *open,
			const char *close)
{
	bool any = false;

	wp_writer_puts(out, open);
	wp_node_each (child, parent) {
		if (!is_data_node(child))
			continue;
		wp_writer_puts(out, any ? ",\n" : "\n");
		any = true;
		if (parent->kind == WP_NODE_OBJECT)
			put_document_key(out, child->key ? child->key : "", ": ");
		put_json_node(out, child);
	}
	if (any)
		wp_writer_puts(out, "\n");
	wp_writer_puts(out, close);
}

static void put_json_node(struct wp_writer *out, const struct wp_node *node)
{
	switch (node->kind) {
	case WP_NODE_OBJECT: put_members(out, node, "{", "}"); break;
	case WP_NODE_ARRAY: put_members(out, node, "[", "]"); break;
	case WP_NODE_TABLE: put_json_table(out, node->table); break;
	case WP_NODE_STR: wp_json_string(out, node->str); break;
	case WP_NODE_INT: wp_writer_printf(out, "%lld", (long long)node->integer); break;
	case WP_NODE_REAL: put_real(out, node->real.value, node->real.decimals); break;
	case WP_NODE_BOOL: wp_writer_puts(out, node->boolean ? "true" : "false"); break;
	case WP_NODE_PROSE:
	case WP_NODE_TREE:
	case WP_NODE_SHARES: break;
	}
}

static void render_json(const struct wp_doc *doc, struct wp_writer *out)
{
	put_json_node(out, doc->root);
}

const struct wp_view_ops wp_view_json = {
	.name = "json",
	.render = render_json,
};
