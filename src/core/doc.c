/* SPDX-License-Identifier: BSD-3-Clause */
/* doc: building the tree and its tables; see doc.h and table.h. */
#include "core/doc.h"

#include "base/invariant.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

struct wp_doc *wp_doc_new(void)
{
	struct wp_doc *doc = wp_calloc(1, sizeof(*doc));

	doc->root = wp_arena_alloc(&doc->arena, sizeof(*doc->root));
	return doc;
}

void wp_doc_free(struct wp_doc *doc)
{
	if (!doc)
		return;
	wp_vec_each (struct wp_table *, table, &doc->tables) {
		wp_vec_deinit(&(*table)->rows);
		wp_vec_deinit(&(*table)->subjects);
	}
	wp_vec_deinit(&doc->tables);
	wp_arena_deinit(&doc->arena);
	free(doc);
}

uint64_t wp_doc_bytes(const struct wp_doc *doc)
{
	uint64_t bytes = sizeof(*doc) + wp_arena_bytes(&doc->arena);

	wp_vec_each (struct wp_table *, table, &doc->tables)
		bytes += (*table)->rows.cap * sizeof(*(*table)->rows.v) +
			 (*table)->subjects.cap * sizeof(*(*table)->subjects.v);
	return bytes;
}

static struct wp_node *append_node(struct wp_doc *doc, struct wp_node *parent, const char *key,
				   enum wp_node_kind kind)
{
	struct wp_node *node = wp_arena_alloc(&doc->arena, sizeof(*node));

	wp_assert(parent->kind == WP_NODE_OBJECT || parent->kind == WP_NODE_ARRAY);
	node->kind = kind;
	node->key = key ? wp_arena_strdup(&doc->arena, key) : NULL;
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
	return node;
}

struct wp_node *wp_doc_object(struct wp_doc *doc, struct wp_node *parent, const char *key)
{
	return append_node(doc, parent, key, WP_NODE_OBJECT);
}

struct wp_node *wp_doc_array(struct wp_doc *doc, struct wp_node *parent, const char *key)
{
	return append_node(doc, parent, key, WP_NODE_ARRAY);
}

struct wp_node *wp_doc_str(struct wp_doc *doc, struct wp_node *parent, const char *key,
			   const char *value)
{
	struct wp_node *node = append_node(doc, parent, key, WP_NODE_STR);

	node->str = wp_arena_strdup(&doc->arena, value);
	return node;
}

struct wp_node *wp_doc_int(struct wp_doc *doc, struct wp_node *parent, const char *key,
			   int64_t value)
{
	struct wp_node *node = append_node(doc, parent, key, WP_NODE_INT);

	node->integer = value;
	return node;
}

struct wp_node *wp_doc_real(struct wp_doc *doc, struct wp_node *parent, const char *key,
			    double value, int decimals)
{
	struct wp_node *node = append_node(doc, parent, key, WP_NODE_REAL);

	node->real.value = value;
	node->real.decimals = decimals;
	return node;
}

struct wp_node *wp_doc_bool(struct wp_doc *doc, struct wp_node *parent, const char *key, bool value)
{
	struct wp_node *node = append_node(doc, parent, key, WP_NODE_BOOL);

	node->boolean = value;
	return node;
}

struct wp_node *wp_doc_prose(struct wp_doc *doc, struct wp_node *parent, const char *fmt, ...)
{
	struct wp_node *node = append_node(doc, parent, NULL, WP_NODE_PROSE);
	wp_autostr struct wp_str text = {0};
	va_list ap;

	va_start(ap, fmt);
	wp_str_vprintf(&text, fmt, ap);
	va_end(ap);
	node->str = wp_arena_strdup(&doc->arena, text.s ? text.s : "");
	return node;
}

struct wp_node *wp_doc_tree(struct wp_doc *doc, struct wp_node *parent, const char *first,
			    const char *second, const char *what)
{
	struct wp_node *node = append_node(doc, parent, NULL, WP_NODE_TREE);
	const char *headings[] = {first, second, what};

	for (size_t i = 0; i < WP_ARRAY_LEN(headings); i++)
		node->headings[i] = wp_arena_strdup(&doc->arena, headings[i]);
	return node;
}

struct wp_node *wp_doc_shares(struct wp_doc *doc, struct wp_node *parent, double first_pct,
			      double second_pct, const char *indent, const char *text)
{
	struct wp_node *node = append_node(doc, parent, NULL, WP_NODE_SHARES);

	node->shares.pct[0] = first_pct;
	node->shares.pct[1] = second_pct;
	node->shares.indent = wp_arena_strdup(&doc->arena, indent);
	node->shares.text = wp_arena_strdup(&doc->arena, text);
	return node;
}

struct wp_table *wp_doc_nested(struct wp_doc *doc)
{
	struct wp_table *table = wp_arena_alloc(&doc->arena, sizeof(*table));

	table->arena = &doc->arena;
	wp_vec_push(&doc->tables, table);
	return table;
}

struct wp_table *wp_doc_table(struct wp_doc *doc, struct wp_node *parent, const char *key)
{
	struct wp_node *node = append_node(doc, parent, key, WP_NODE_TABLE);

	node->table = wp_doc_nested(doc);
	return node->table;
}

struct wp_column *wp_table_column(struct wp_table *table, const char *heading, enum wp_align align)
{
	struct wp_column *wider =
		wp_arena_alloc(table->arena, (table->n_columns + 1) * sizeof(*wider));

	wp_assert(!table->rows.n);
	if (table->n_columns)
		memcpy(wider, table->columns, table->n_columns * sizeof(*wider));
	wider[table->n_columns++] = (struct wp_column){.heading = heading, .align = align};
	table->columns = wider;
	return &wider[table->n_columns - 1];
}

void wp_table_share_column(struct wp_table *table, const char *heading)
{
	wp_table_column(table, heading, WP_ALIGN_RIGHT)->is_share = true;
}

void wp_table_symbol_column(struct wp_table *table, const char *heading, enum wp_align align)
{
	wp_table_column(table, heading, align);
	table->columns[table->n_columns - 1].fit = WP_FIT_SYMBOL;
}

void wp_table_path_column(struct wp_table *table, const char *heading, enum wp_align align)
{
	wp_table_column(table, heading, align);
	table->columns[table->n_columns - 1].fit = WP_FIT_PATH;
}

void wp_table_text_column(struct wp_table *table, const char *heading, enum wp_align align)
{
	wp_table_column(table, heading, align);
	table->columns[table->n_columns - 1].fit = WP_FIT_TEXT;
}

void wp_table_add(struct wp_table *table, const struct wp_cell *cells)
{
	size_t bytes = table->n_columns * sizeof(*cells);

	wp_assert(table->n_columns);
	wp_vec_push(&table->rows, memcpy(wp_arena_alloc(table->arena, bytes), cells, bytes));
}

void wp_table_subject(struct wp_table *table, struct wp_subject subject)
{
	wp_assert(table->rows.n);
	while (table->subjects.n < table->rows.n)
		wp_vec_push(&table->subjects, (struct wp_subject){0});
	table->subjects.v[table->rows.n - 1] = subject;
}

struct wp_subject wp_table_subject_of(const struct wp_table *table, size_t row)
{
	return row < table->subjects.n ? table->subjects.v[row] : (struct wp_subject){0};
}
