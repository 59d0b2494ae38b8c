/* SPDX-License-Identifier: BSD-3-Clause */
/* Who calls a function and what it calls: shares, recursion, what no stack has. */
#include "check.h"

#include "aggregate/function_calls.h"
#include "view/view.h"

enum { MAIN, A, B, LEAF, UNUSED, SYMBOLS };

static struct wp_symbol_set set;
static struct wp_callgraph graph;
static struct wp_calltree tree;

static void make_symbols(void)
{
	static const char *const words[SYMBOLS] = {"main", "a", "b", "leaf", "unused"};

	wp_vec_push(&set.modules, (struct wp_module){.name = "prog"});
	for (size_t i = 0; i < SYMBOLS; i++)
		wp_vec_push(&set.symbols, (struct wp_symbol){.name = words[i], .raw = words[i]});
}

/* Symbols innermost first, ended by -1. */
static void add_stack(uint64_t period, const int *symbols)
{
	uint32_t places[16];
	size_t n = 0;

	for (; symbols[n] >= 0; n++)
		places[n] = wp_callgraph_place(&graph, (uint32_t)symbols[n], (struct wp_rva){0});
	wp_callgraph_add(&graph, 0, places, n, period, WP_STACK_COMPLETE);
}

#define ADD_STACK(period, ...) add_stack(period, (int[]){__VA_ARGS__, -1})

static void check_calls(uint32_t symbol, const char *want)
{
	struct wp_doc *doc = wp_doc_new();
	wp_autostr struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);

	wp_function_calls_doc(doc, doc->root, &tree, symbol, "cycles");
	wp_view_csv.render(doc, out);
	CHECK_OK(wp_writer_close(out));
	CHECK_STR(text.s ? text.s : "", want);
	wp_doc_free(doc);
}

static void test_calls(void)
{
	check_calls(LEAF,
		    "total,share,symbol,\n40.00,50.00,b,\n30.00,37.50,a,\n10.00,12.50,main,\n\n"
		    "total,share,symbol,\n80.00,100.00,(itself),\n\n");
	check_calls(MAIN, "total,share,symbol,\n100.00,100.00,(nobody: stacks begin here),\n\n"
			  "total,share,symbol,\n90.00,90.00,a,\n10.00,10.00,leaf,\n\n");
	check_calls(UNUSED, "");
}

/* main, a, b, a, leaf: the samples are once below a, and once below b. */
static void test_recursion(void)
{
	check_calls(A, "total,share,symbol,\n90.00,100.00,main,\n\n"
		       "total,share,symbol,\n60.00,66.67,b,\n30.00,33.33,leaf,\n\n");
	check_calls(B, "total,share,symbol,\n60.00,100.00,a,\n\n"
		       "total,share,symbol,\n40.00,66.67,leaf,\n20.00,33.33,a,\n"
		       "20.00,33.33,(itself),\n\n");
}

int main(void)
{
	const struct wp_hot_options names = {.symbols = &set, .main_module = 0};

	make_symbols();
	ADD_STACK(10, LEAF, MAIN);
	ADD_STACK(30, LEAF, A, MAIN);
	ADD_STACK(40, LEAF, B, A, MAIN);
	ADD_STACK(20, B, A, B, A, MAIN);
	wp_calltree_init(&tree, &graph, 0, &names);
	RUN(test_calls);
	RUN(test_recursion);
	wp_calltree_deinit(&tree);
	return check_done();
}
