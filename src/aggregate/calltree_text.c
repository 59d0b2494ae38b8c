/* SPDX-License-Identifier: BSD-3-Clause */
/* calltree_text: see calltree_text.h. */
#include "aggregate/calltree_text.h"

#include "base/str.h"

#include <inttypes.h>
#include <string.h>

#define MAX_DEPTH 48 /* of indents */

/* A tree on its way to text. */
struct drawing {
	struct wp_doc *doc;
	struct wp_node *parent;
	const struct wp_calltree *tree;
	const struct wp_calltree_nodes *nodes;
	uint64_t of; /* callers: what the function cost; 0: callees are drawn */
	struct wp_str indent;
	uint32_t depth; /* of the node that comes next */
	uint64_t left_out, left_out_weight;
};

static bool is_small(const struct drawing *d, uint64_t weight)
{
	return weight * WP_CALLTREE_TEXT_PART < d->tree->weight;
}

static const struct wp_calltree_node *child_at(const struct drawing *d,
					       const struct wp_calltree_node *node, uint32_t i)
{
	return &d->nodes->v.v[d->nodes->order[node->first + i]];
}

static void draw_node(struct drawing *d, const struct wp_calltree_node *node, const char *branch)
{
	const struct wp_calltree_function *function = &d->tree->functions.v[node->function];
	wp_autofree char *text = wp_asprintf("%s%s", function->text,
					     node->folded && function->known ? " (recursive)" : "");
	wp_autofree char *indent = wp_asprintf("%s%s", d->indent.len ? d->indent.s : "", branch);
	uint64_t whole = d->tree->weight;

	struct wp_node *line = wp_doc_shares(d->doc, d->parent, wp_percent(node->total, whole),
					     d->of ? wp_percent(node->total, d->of)
						   : wp_percent(node->self, whole),
					     indent, text);

	line->shares.depth = d->depth++;
	if (function->has_symbol)
		line->shares.subject = wp_subject_of(function->symbol, 0);
}

/* Counts the children from the given one on as not shown; what folding has emptied is nothing. */
static void leave_out(struct drawing *d, const struct wp_calltree_node *node, uint32_t from)
{
	for (uint32_t i = from; i < node->n && child_at(d, node, i)->total; i++) {
		d->left_out++;
		d->left_out_weight += child_at(d, node, i)->total;
	}
}

/* The one child that takes nearly all of a node, or NULL. */
static const struct wp_calltree_node *straight(const struct drawing *d,
					       const struct wp_calltree_node *node)
{
	const struct wp_calltree_node *child = node->n ? child_at(d, node, 0) : NULL;

	if (!child || is_small(d, child->total) || !is_small(d, node->total - child->total))
		return NULL;
	return child;
}

/* Draws a node and what follows it in a straight line; returns where the line ends. */
static const struct wp_calltree_node *draw_line(struct drawing *d,
						const struct wp_calltree_node *node,
						const char *branch, const char *indent)
{
	for (;;) {
		const struct wp_calltree_node *next = straight(d, node);

		draw_node(d, node, branch);
		if (*branch)
			wp_str_puts(&d->indent, indent);
		branch = "";
		if (!next)
			return node;
		leave_out(d, node, 1);
		node = next;
	}
}

/* How many children are worth a line. */
static uint32_t count_shown(const struct drawing *d, const struct wp_calltree_node *node)
{
	uint32_t shown = 0;

	if (d->indent.len >= MAX_DEPTH * strlen("|-- "))
		return 0;
	while (shown < node->n && !is_small(d, child_at(d, node, shown)->total))
		shown++;
	return shown;
}

/* Draws a node and everything below it. */
static void draw(struct drawing *d, const struct wp_calltree_node *node, const char *branch,
		 const char *indent)
{
	size_t length = d->indent.len;
	uint32_t depth = d->depth;
	const struct wp_calltree_node *last = draw_line(d, node, branch, indent);
	uint32_t shown = count_shown(d, last);

	leave_out(d, last, shown);
	for (uint32_t i = 0; i + 1 < shown; i++)
		draw(d, child_at(d, last, i), "|-- ", "|   ");
	if (shown)
		draw(d, child_at(d, last, shown - 1), "`-- ", "    ");
	d->indent.len = length;
	d->depth = depth;
	if (d->indent.s)
		d->indent.s[length] = '\0';
}

static void put_left_out(struct drawing *d)
{
	if (d->left_out)
		wp_doc_prose(d->doc, d->parent, "\n%14.2f          in %" PRIu64 " %s\n",
			     wp_percent(d->left_out_weight, d->tree->weight), d->left_out,
			     d->left_out == 1 ? "branch not shown" : "branches not shown");
	wp_str_deinit(&d->indent);
}

void wp_calltree_text_callees(struct wp_doc *doc, struct wp_node *parent,
			      const struct wp_calltree *tree)
{
	struct wp_calltree_nodes folded;
	struct drawing d = {.doc = doc, .parent = parent, .tree = tree, .nodes = &folded};
	uint32_t shown;

	wp_calltree_fold(tree, &folded);
	shown = count_shown(&d, &folded.v.v[0]);
	wp_doc_tree(doc, parent, "total", "self", "function and what it calls");
	leave_out(&d, &folded.v.v[0], shown);
	for (uint32_t i = 0; i < shown; i++) {
		if (i)
			wp_doc_prose(doc, parent, "\n");
		draw(&d, child_at(&d, &folded.v.v[0], i), "", "");
	}
	put_left_out(&d);
	wp_calltree_nodes_deinit(&folded);
}

void wp_calltree_text_callers(struct wp_doc *doc, struct wp_node *parent,
			      const struct wp_calltree *tree, const uint32_t *functions, size_t n)
{
	struct drawing d = {.doc = doc, .parent = parent, .tree = tree};

	wp_doc_tree(doc, parent, "self", "share", "function and who calls it");
	for (size_t i = 0; i < n; i++) {
		struct wp_calltree_nodes callers;

		if (i)
			wp_doc_prose(doc, parent, "\n");
		wp_calltree_callers(tree, functions[i], &callers);
		d.nodes = &callers;
		d.of = callers.v.v[0].total;
		if (d.of)
			draw(&d, child_at(&d, &callers.v.v[0], 0), "", "");
		wp_calltree_nodes_deinit(&callers);
	}
	put_left_out(&d);
}
