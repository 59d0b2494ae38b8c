/* SPDX-License-Identifier: BSD-3-Clause */
/* callgraph_doc: see callgraph_doc.h. */
#include "aggregate/callgraph_doc.h"

#include "aggregate/calltree_text.h"
#include "base/str.h"

#include <inttypes.h>
#include <stdlib.h>

/* JSON: what is less than one of so many parts is left out; levels (its readers recurse). */
#define JSON_PART  10000
#define JSON_DEPTH 200

static bool matches_function(const struct wp_calltree_function *function, const char *pattern)
{
	return function->kind == WP_SYMBOL_PYTHON
		       ? wp_hot_matches_qualified(function->name, pattern)
		       : wp_hot_matches(function->name, pattern);
}

/* The functions whose callers are shown: the hot ones. */
static void put_callers(struct wp_doc *doc, struct wp_node *parent, const struct wp_calltree *tree,
			const struct wp_callgraph_report *report)
{
	wp_autofree uint32_t *order = wp_calltree_by_self(tree);
	size_t n = 0;

	for (size_t i = 0; i < tree->functions.n && n < report->rows; i++) {
		const struct wp_calltree_function *function = &tree->functions.v[order[i]];

		if (!function->self || function->self * WP_CALLTREE_TEXT_PART < tree->weight)
			break;
		if (matches_function(function, report->symbol_filter))
			order[n++] = order[i];
	}
	wp_calltree_text_callers(doc, parent, tree, order, n);
}

static void put_functions(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_calltree *tree, const struct wp_callgraph_report *report)
{
	struct wp_table *table = wp_doc_table(doc, parent, "functions");
	wp_autofree uint32_t *order =
		report->by_self ? wp_calltree_by_self(tree) : wp_calltree_by_total(tree);
	uint64_t shown = 0;

	wp_table_share_column(table, "total");
	wp_table_share_column(table, "self");
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_symbol_column(table, "symbol", WP_ALIGN_LEFT);
	for (size_t i = 0; i < tree->functions.n && shown < report->rows; i++) {
		const struct wp_calltree_function *function = &tree->functions.v[order[i]];

		if (!matches_function(function, report->symbol_filter))
			continue;
		shown++;
		wp_table_add(table,
			     (struct wp_cell[]){
				     wp_cell_real(wp_percent(function->total, tree->weight), 2),
				     wp_cell_real(wp_percent(function->self, tree->weight), 2),
				     wp_cell_number(function->samples),
				     wp_cell_str(wp_arena_strdup(&doc->arena, function->text)),
			     });
		if (function->has_symbol)
			wp_table_subject(table, wp_subject_of(function->symbol, 0));
	}
}

/* Nodes of native functions have no kind: where no Python runs, nothing of this is to be seen. */
static void put_function_fields(struct wp_doc *doc, struct wp_node *object,
				const struct wp_calltree_function *function)
{
	wp_doc_str(doc, object, "symbol", function->text);
	wp_doc_str(doc, object, "module", function->module);
	if (function->kind != WP_SYMBOL_PYTHON)
		return;
	wp_doc_str(doc, object, "kind", "python");
	if (!function->known)
		return;
	wp_doc_str(doc, object, "function", function->name);
	wp_doc_str(doc, object, "file", function->path);
	if (function->line)
		wp_doc_int(doc, object, "line", function->line);
}

static void put_nodes(struct wp_doc *doc, struct wp_node *array, const struct wp_calltree *tree,
		      const struct wp_calltree_node *node, int depth)
{
	for (uint32_t i = 0; i < node->n && depth < JSON_DEPTH; i++) {
		const struct wp_calltree_node *child =
			&tree->callees.v.v[tree->callees.order[node->first + i]];
		const struct wp_calltree_function *function = &tree->functions.v[child->function];
		struct wp_node *object;

		if (child->total * JSON_PART < tree->weight)
			break;
		object = wp_doc_object(doc, array, NULL);
		put_function_fields(doc, object, function);
		wp_doc_int(doc, object, "samples", (int64_t)child->samples);
		wp_doc_real(doc, object, "self", wp_percent(child->self, tree->weight), -1);
		wp_doc_real(doc, object, "total", wp_percent(child->total, tree->weight), -1);
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
		wp_calltree_text_callees(doc, parent, &tree);
		put_callers(doc, parent, &tree, report);
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
	[WP_STACK_LOST] = {"lost", "lost or not taken"},
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
	wp_doc_real(doc, stacks, "complete_percent", wp_percent(complete, n), -1);
	if (report->python) {
		wp_doc_int(doc, stacks, "python_without_loop", (int64_t)report->unbound);
		wp_doc_int(doc, stacks, "loops_without_python", (int64_t)report->missing);
	}
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
		     n, wp_percent(complete, n), why.s ? why.s : "");
}
