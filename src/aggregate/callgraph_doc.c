/* callgraph_doc: see callgraph_doc.h. */
#include "aggregate/callgraph_doc.h"

#include "aggregate/calltree.h"
#include "base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is left out, in parts of the whole: of text, of JSON. */
#define TEXT_PART 200
#define JSON_PART 10000
/* Levels of a tree: those that text indents, those of JSON (its readers recurse). */
#define TEXT_DEPTH 48
#define JSON_DEPTH 200

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0.0;
}

/* A tree on its way to text. */
struct drawing {
	struct wp_doc *doc;
	struct wp_node *parent;
	const struct wp_calltree *tree;
	const struct wp_calltree_nodes *nodes;
	struct wp_str indent;
	uint64_t left_out, left_out_weight;
	uint64_t whole; /* callers: of the function; 0: this is a tree of callees */
};

static const struct wp_calltree_node *child_at(const struct wp_calltree_nodes *nodes,
					       const struct wp_calltree_node *node, uint32_t i)
{
	return &nodes->v.v[nodes->order[node->first + i]];
}

static bool is_shown(const struct drawing *d, const struct wp_calltree_node *node)
{
	return node->total * TEXT_PART >= d->tree->weight;
}

/* How many children are shown, the heaviest ones; the others are counted as left out. */
static uint32_t count_shown(struct drawing *d, const struct wp_calltree_node *node)
{
	uint32_t shown = 0;

	while (shown < node->n && is_shown(d, child_at(d->nodes, node, shown)))
		shown++;
	if (d->indent.len >= TEXT_DEPTH * 4)
		shown = 0;
	for (uint32_t i = shown; i < node->n; i++) {
		d->left_out++;
		d->left_out_weight += child_at(d->nodes, node, i)->total;
	}
	return shown;
}

/* Names come from strangers' files: a control character must not reach the terminal. */
static char *clean(const char *name)
{
	char *copy = wp_strdup(name);

	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	return copy;
}

static void draw_line(struct drawing *d, const struct wp_calltree_node *node, const char *branch)
{
	double first = share(node->total, d->tree->weight);
	double second =
		share(d->whole ? node->total : node->self, d->whole ? d->whole : d->tree->weight);

	wp_autofree char *name = clean(d->tree->functions.v[node->function].text);

	wp_doc_prose(d->doc, d->parent, "%14.2f  %6.2f  %s%s%s\n", first, second,
		     d->indent.s ? d->indent.s : "", branch, name);
}

/*
 * Draws what is below a node. A child that takes nearly all of it, when there is only that one to
 * show, stands below it without an indent, so that long chains of calls stay readable.
 */
static void draw_below(struct drawing *d, const struct wp_calltree_node *node)
{
	uint32_t shown = count_shown(d, node);

	while (shown == 1) {
		const struct wp_calltree_node *child = child_at(d->nodes, node, 0);

		if ((node->total - child->total) * TEXT_PART >= d->tree->weight)
			break;
		draw_line(d, child, "");
		node = child;
		shown = count_shown(d, node);
	}
	for (uint32_t i = 0; i < shown; i++) {
		const struct wp_calltree_node *child = child_at(d->nodes, node, i);
		bool last = i + 1 == shown;
		size_t length = d->indent.len;

		draw_line(d, child, last ? "`-- " : "|-- ");
		wp_str_puts(&d->indent, last ? "    " : "|   ");
		draw_below(d, child);
		d->indent.len = length;
		d->indent.s[length] = '\0';
	}
}

static void put_headings(struct drawing *d, const char *first, const char *second, const char *what)
{
	static const char line[] = "==============================";

	wp_doc_prose(d->doc, d->parent, "\n%14s  %6s  %s\n%14.*s  %6.*s  %.*s\n", first, second,
		     what, (int)strlen(first), line, (int)strlen(second), line, (int)strlen(what),
		     line);
}

static void put_left_out(struct drawing *d)
{
	if (d->left_out)
		wp_doc_prose(d->doc, d->parent, "%14.2f          in %" PRIu64 " %s\n",
			     share(d->left_out_weight, d->tree->weight), d->left_out,
			     d->left_out == 1 ? "branch not shown" : "branches not shown");
	wp_str_deinit(&d->indent);
}

static void draw_callees(struct wp_doc *doc, struct wp_node *parent, const struct wp_calltree *tree)
{
	struct drawing d = {doc, parent, tree, &tree->callees, {0}, 0, 0, 0};
	const struct wp_calltree_node *top = &tree->callees.v.v[0];
	uint32_t shown = count_shown(&d, top);

	put_headings(&d, "total", "self", "function and what it calls");
	for (uint32_t i = 0; i < shown; i++) {
		if (i)
			wp_doc_prose(doc, parent, "\n");
		draw_line(&d, child_at(d.nodes, top, i), "");
		draw_below(&d, child_at(d.nodes, top, i));
	}
	put_left_out(&d);
}

/* One hot function and the ways to it. */
static void draw_ways(struct drawing *d, uint32_t function)
{
	struct wp_calltree_nodes callers;
	const struct wp_calltree_node *top;

	wp_calltree_callers(d->tree, function, &callers);
	d->nodes = &callers;
	top = &callers.v.v[callers.order[0]];
	d->whole = top->total;
	draw_line(d, top, "");
	draw_below(d, top);
	wp_calltree_nodes_deinit(&callers);
}

static void draw_callers(struct wp_doc *doc, struct wp_node *parent, const struct wp_calltree *tree,
			 const struct wp_callgraph_report *report)
{
	struct drawing d = {doc, parent, tree, NULL, {0}, 0, 0, 0};
	wp_autofree uint32_t *order = wp_calltree_by_self(tree);
	uint64_t shown = 0;

	put_headings(&d, "self", "share", "function and who calls it");
	for (size_t i = 0; i < tree->functions.n && shown < report->rows; i++) {
		const struct wp_calltree_function *function = &tree->functions.v[order[i]];

		if (!function->self || function->self * TEXT_PART < tree->weight)
			break;
		if (!wp_hot_matches(function->name, report->symbol_filter))
			continue;
		if (shown++)
			wp_doc_prose(doc, parent, "\n");
		draw_ways(&d, order[i]);
	}
	put_left_out(&d);
}

static void put_functions(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_calltree *tree, const struct wp_callgraph_report *report)
{
	struct wp_table *table = wp_doc_table(doc, parent, "functions");
	wp_autofree uint32_t *order = wp_calltree_by_total(tree);
	uint64_t shown = 0;

	wp_table_column(table, "total", WP_ALIGN_RIGHT);
	wp_table_column(table, "self", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_column(table, "symbol", WP_ALIGN_LEFT);
	for (size_t i = 0; i < tree->functions.n && shown < report->rows; i++) {
		const struct wp_calltree_function *function = &tree->functions.v[order[i]];

		if (!wp_hot_matches(function->name, report->symbol_filter))
			continue;
		shown++;
		wp_table_add(table,
			     (struct wp_cell[]){
				     wp_cell_real(share(function->total, tree->weight), 2),
				     wp_cell_real(share(function->self, tree->weight), 2),
				     wp_cell_number(function->samples),
				     wp_cell_str(wp_arena_strdup(&doc->arena, function->text)),
			     });
	}
}

static void put_nodes(struct wp_doc *doc, struct wp_node *array, const struct wp_calltree *tree,
		      const struct wp_calltree_node *node, int depth)
{
	for (uint32_t i = 0; i < node->n && depth < JSON_DEPTH; i++) {
		const struct wp_calltree_node *child = child_at(&tree->callees, node, i);
		const struct wp_calltree_function *function = &tree->functions.v[child->function];
		struct wp_node *object;

		if (child->total * JSON_PART < tree->weight)
			break;
		object = wp_doc_object(doc, array, NULL);
		wp_doc_str(doc, object, "symbol", function->text);
		wp_doc_str(doc, object, "module", function->module);
		wp_doc_int(doc, object, "samples", (int64_t)child->samples);
		wp_doc_real(doc, object, "self", share(child->self, tree->weight), -1);
		wp_doc_real(doc, object, "total", share(child->total, tree->weight), -1);
		put_nodes(doc, wp_doc_array(doc, object, "children"), tree, child, depth + 1);
	}
}

void wp_callgraph_doc_event(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_callgraph_report *report, uint32_t event,
			    const char *name)
{
	struct wp_calltree tree;
	struct wp_node *array;

	wp_calltree_init(&tree, report->graph, event, &report->names);
	wp_doc_prose(doc, parent,
		     "\n======================== callers and callees: %s "
		     "========================\n",
		     name);
	put_functions(doc, parent, &tree, report);
	if (tree.weight) {
		draw_callees(doc, parent, &tree);
		draw_callers(doc, parent, &tree, report);
	}
	array = wp_doc_array(doc, parent, "call_tree");
	array->only = WP_DATA_ONLY;
	put_nodes(doc, array, &tree, &tree.callees.v.v[0], 0);
	wp_calltree_deinit(&tree);
}

static const struct {
	const char *key, *words;
} endings[WP_STACK_ENDS] = {
	[WP_STACK_NO_MODULE] = {"no_module", "left every module"},
	[WP_STACK_NO_RULE] = {"no_rule", "without unwind information"},
	[WP_STACK_UNREADABLE] = {"unreadable", "with an unreadable stack"},
	[WP_STACK_CUT] = {"cut", "longer than the copy of the stack"},
	[WP_STACK_TOO_DEEP] = {"too_deep", "too deep"},
};

static uint64_t count_stacks(const struct wp_callgraph *graph)
{
	uint64_t n = 0;

	for (size_t i = 0; i < WP_STACK_ENDS; i++)
		n += graph->ends[i];
	return n;
}

void wp_callgraph_doc_stacks(struct wp_doc *doc, struct wp_node *parent,
			     const struct wp_callgraph_report *report)
{
	struct wp_node *stacks = wp_doc_object(doc, parent, "stacks"), *incomplete;
	uint64_t n = count_stacks(report->graph), complete = report->graph->ends[WP_STACK_COMPLETE];

	wp_doc_str(doc, stacks, "mode", report->mode);
	wp_doc_int(doc, stacks, "taken", (int64_t)n);
	wp_doc_int(doc, stacks, "complete", (int64_t)complete);
	wp_doc_real(doc, stacks, "complete_percent", share(complete, n), -1);
	incomplete = wp_doc_object(doc, stacks, "incomplete");
	for (size_t i = WP_STACK_COMPLETE + 1; i < WP_STACK_ENDS; i++)
		wp_doc_int(doc, incomplete, endings[i].key, (int64_t)report->graph->ends[i]);
}

void wp_callgraph_doc_note(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_callgraph_report *report)
{
	uint64_t n = count_stacks(report->graph), complete = report->graph->ends[WP_STACK_COMPLETE];
	wp_autostr struct wp_str why = {0};

	for (size_t i = WP_STACK_COMPLETE + 1; i < WP_STACK_ENDS; i++)
		if (report->graph->ends[i])
			wp_str_printf(&why, "%s%" PRIu64 " %s", why.len ? ", " : "; ",
				      report->graph->ends[i], endings[i].words);
	wp_doc_prose(doc, parent, "\nstacks (%s): %" PRIu64 ", %.2f%% complete%s\n", report->mode,
		     n, share(complete, n), why.s ? why.s : "");
}
