/* SPDX-License-Identifier: BSD-3-Clause */
/* function_calls: see function_calls.h. */
#include "aggregate/function_calls.h"

#include <stdlib.h>

#define NO_FUNCTION UINT32_MAX /* above the outermost functions; the function itself */

struct calls {
	const struct wp_calltree *tree;
	uint32_t function;
	uint64_t *weights; /* by function: of calls from, or to it */
	uint64_t top;	   /* of stacks that begin with it */
};

static const struct wp_calltree_node *call_at(const struct calls *c, size_t node)
{
	return &c->tree->callees.v.v[node];
}

/* True when it is called by a function (NO_FUNCTION: by any) further up, too. */
static bool is_call_within(const struct calls *c, uint32_t node, uint32_t function, uint32_t caller)
{
	for (uint32_t at = call_at(c, node)->parent; at; at = call_at(c, at)->parent) {
		uint32_t parent = call_at(c, at)->parent;

		if (call_at(c, at)->function != function)
			continue;
		if (caller == NO_FUNCTION || (parent && call_at(c, parent)->function == caller))
			return true;
	}
	return false;
}

static void count_caller(struct calls *c, uint32_t node)
{
	const struct wp_calltree_node *call = call_at(c, node);

	if (call->function != c->function || is_call_within(c, node, c->function, NO_FUNCTION))
		return;
	if (call->parent)
		c->weights[call_at(c, call->parent)->function] += call->total;
	else
		c->top += call->total;
}

static void count_callee(struct calls *c, uint32_t node)
{
	const struct wp_calltree_node *call = call_at(c, node);

	if (call->parent && call->function != c->function &&
	    call_at(c, call->parent)->function == c->function &&
	    !is_call_within(c, node, call->function, c->function))
		c->weights[call->function] += call->total;
}

struct call_row {
	uint64_t weight;
	uint32_t function;
};

static int compare_calls(const void *a, const void *b)
{
	const struct call_row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->function > y->function) - (x->function < y->function);
}

static void put_call(struct wp_doc *doc, struct wp_table *table, const struct calls *c,
		     uint64_t weight, const char *text)
{
	uint64_t of = c->tree->functions.v[c->function].total;

	wp_table_add(table, (struct wp_cell[]){wp_cell_real(wp_percent(weight, c->tree->weight), 2),
					       wp_cell_real(wp_percent(weight, of), 2),
					       wp_cell_str(wp_arena_strdup(&doc->arena, text))});
}

/* rest: a row for what is of no other function, if it is something. */
static void put_calls(struct wp_doc *doc, struct wp_node *parent, const struct calls *c,
		      const char *key, const char *rest, uint64_t rest_weight)
{
	const struct wp_calltree_function *functions = c->tree->functions.v;
	size_t n_functions = c->tree->functions.n, n = 0;
	wp_autofree struct call_row *rows = wp_calloc(n_functions + 1, sizeof(*rows));
	struct wp_table *table = wp_doc_table(doc, parent, key);

	wp_table_share_column(table, "total");
	wp_table_share_column(table, "share");
	wp_table_symbol_column(table, "symbol", WP_ALIGN_RAGGED);
	for (uint32_t i = 0; i < n_functions; i++)
		if (c->weights[i])
			rows[n++] = (struct call_row){c->weights[i], i};
	if (rest_weight)
		rows[n++] = (struct call_row){rest_weight, NO_FUNCTION};
	qsort(rows, n, sizeof(*rows), compare_calls);
	for (size_t i = 0; i < n; i++) {
		bool is_rest = rows[i].function == NO_FUNCTION;

		put_call(doc, table, c, rows[i].weight,
			 is_rest ? rest : functions[rows[i].function].text);
		if (!is_rest && functions[rows[i].function].has_symbol)
			wp_table_subject(table,
					 wp_subject_of(functions[rows[i].function].symbol, 0));
	}
}

void wp_function_calls_doc(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_calltree *tree, uint32_t symbol, const char *event)
{
	size_t n = tree->functions.n;
	wp_autofree uint64_t *from = wp_calloc(n + 1, sizeof(*from));
	wp_autofree uint64_t *to = wp_calloc(n + 1, sizeof(*to));
	struct calls callers = {.tree = tree, .weights = from},
		     callees = {.tree = tree, .weights = to};
	uint32_t function;

	if (!wp_calltree_function_of(tree, symbol, &function))
		return;
	callers.function = callees.function = function;
	for (size_t i = 1; i < tree->callees.v.n; i++) {
		count_caller(&callers, (uint32_t)i);
		count_callee(&callees, (uint32_t)i);
	}
	wp_doc_prose(doc, parent,
		     "\n======================== who calls %s: %s "
		     "========================\n",
		     tree->functions.v[function].text, event);
	put_calls(doc, parent, &callers, "callers", "(nobody: stacks begin here)", callers.top);
	wp_doc_prose(doc, parent,
		     "\n======================== what %s calls: %s "
		     "========================\n",
		     tree->functions.v[function].text, event);
	put_calls(doc, parent, &callees, "callees", "(itself)", tree->functions.v[function].self);
}
