/* SPDX-License-Identifier: BSD-3-Clause */
/* callgraph and calltree: stacks to trees: sharing, recursion, callers, inlined functions, bounds.
 */
#include "aggregate/calltree.h"

#include "check.h"

static struct wp_symbol_set set;
static struct wp_callgraph graph;
static const struct wp_hot_options names = {.symbols = &set, .main_module = 0};

enum { MAIN, A, B, LEAF, TINY, NAMELESS };

static void make_symbols(void)
{
	static const char *const words[] = {"main", "a", "b", "leaf", "tiny"};

	wp_vec_push(&set.modules, (struct wp_module){.name = "prog"});
	wp_vec_push(&set.modules, (struct wp_module){.name = "lib.so"});
	for (size_t i = 0; i < 5; i++)
		wp_vec_push(&set.symbols,
			    (struct wp_symbol){
				    .name = words[i],
				    .raw = words[i],
				    .kind = i == TINY ? WP_SYMBOL_INLINE : WP_SYMBOL_NATIVE,
			    });
	wp_vec_push(&set.symbols, (struct wp_symbol){.reason = WP_SYMBOL_STRIPPED, .module = 1});
}

/* Symbols innermost first, ended by -1. */
static void add(uint64_t period, const int *symbols)
{
	uint32_t places[64];
	size_t n = 0;

	for (; symbols[n] >= 0; n++)
		places[n] = wp_callgraph_place(&graph, (uint32_t)symbols[n], (struct wp_rva){0});
	wp_callgraph_add(&graph, 0, places, n, period, WP_STACK_COMPLETE);
}

#define ADD(period, ...) add(period, (int[]){__VA_ARGS__, -1})

static const struct wp_calltree_function *named(const struct wp_calltree *tree, const char *text)
{
	static const struct wp_calltree_function none = {.text = "none"};

	for (size_t i = 0; i < tree->functions.n; i++)
		if (strcmp(tree->functions.v[i].text, text) == 0)
			return &tree->functions.v[i];
	return &none;
}

static const struct wp_calltree_node *child(const struct wp_calltree_nodes *nodes, uint32_t of,
					    uint32_t i)
{
	return &nodes->v.v[nodes->order[nodes->v.v[of].first + i]];
}

static void test_shares(void)
{
	struct wp_calltree tree;
	struct wp_calltree_nodes callers;
	uint32_t leaf;

	graph = (struct wp_callgraph){0};
	ADD(50, LEAF, A, MAIN);
	ADD(30, LEAF, B, MAIN);
	ADD(10, LEAF, B, MAIN);
	ADD(10, B, MAIN);
	wp_calltree_init(&tree, &graph, 0, &names);
	CHECK_U64(tree.weight, 100);
	CHECK_U64(tree.samples, 4);
	CHECK_U64(named(&tree, "main")->total, 100);
	CHECK_U64(named(&tree, "main")->self, 0);
	CHECK_U64(named(&tree, "b")->total, 50);
	CHECK_U64(named(&tree, "b")->self, 10);
	CHECK_U64(named(&tree, "leaf")->samples, 3);
	leaf = (uint32_t)(named(&tree, "leaf") - tree.functions.v);
	wp_calltree_callers(&tree, leaf, &callers);
	CHECK_U64(callers.v.v[0].n, 1);
	CHECK_U64(child(&callers, 0, 0)->total, 90);
	CHECK_U64(child(&callers, 0, 0)->n, 2);
	CHECK_U64(child(&callers, callers.order[0], 0)->total, 50);
	CHECK_U64(child(&callers, callers.order[0], 1)->total, 40);
	wp_calltree_nodes_deinit(&callers);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);
}

static void test_recursion(void)
{
	struct wp_calltree tree;
	struct wp_calltree_nodes callers;

	graph = (struct wp_callgraph){0};
	ADD(1, A, A, A, MAIN);
	ADD(1, B, A, B, A, MAIN);
	ADD(1, A, MAIN);
	wp_calltree_init(&tree, &graph, 0, &names);
	CHECK_U64(named(&tree, "a")->total, 3);
	CHECK_U64(named(&tree, "a")->self, 2);
	CHECK_U64(named(&tree, "b")->total, 1);
	CHECK_U64(named(&tree, "b")->samples, 1);
	wp_calltree_callers(&tree, (uint32_t)(named(&tree, "a") - tree.functions.v), &callers);
	CHECK_U64(child(&callers, 0, 0)->total, 2);
	wp_calltree_nodes_deinit(&callers);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);
}

/* f, f, f and f, g, f, g are folded; what they call stays. */
static void test_folding(void)
{
	struct wp_calltree tree;
	struct wp_calltree_nodes folded;

	graph = (struct wp_callgraph){0};
	ADD(1, LEAF, A, A, A, MAIN);
	ADD(2, A, A, MAIN);
	wp_calltree_init(&tree, &graph, 0, &names);
	wp_calltree_fold(&tree, &folded);
	CHECK_U64(child(&folded, folded.order[0], 0)->total, 3);
	CHECK_U64(child(&folded, folded.order[0], 0)->self, 2);
	CHECK(child(&folded, folded.order[0], 0)->folded);
	CHECK(!child(&folded, 0, 0)->folded);
	CHECK_U64(folded.v.n, 4);
	CHECK_U64(tree.callees.v.n, 6);
	wp_calltree_nodes_deinit(&folded);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);

	graph = (struct wp_callgraph){0};
	ADD(1, LEAF, B, A, B, A, B, A, MAIN);
	wp_calltree_init(&tree, &graph, 0, &names);
	wp_calltree_fold(&tree, &folded);
	CHECK_U64(folded.v.n, 6); /* main a b a leaf: the cycle closes at b */
	CHECK_U64(folded.v.v[0].total, 1);
	wp_calltree_nodes_deinit(&folded);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);
}

static void test_inlined(void)
{
	struct wp_calltree tree;
	uint32_t inlined = TINY, places[2];

	graph = (struct wp_callgraph){0};
	places[0] = wp_callgraph_place(&graph, LEAF, (struct wp_rva){0x10});
	places[1] = wp_callgraph_place(&graph, NAMELESS, (struct wp_rva){0x20});
	CHECK_U64(wp_callgraph_place(&graph, LEAF, (struct wp_rva){0x10}), places[0]);
	CHECK(wp_callgraph_place(&graph, LEAF, (struct wp_rva){0x11}) != places[0]);
	wp_callgraph_add(&graph, 0, places, 2, 5, WP_STACK_NO_RULE);
	wp_callgraph_set_inlined(&graph, places[0], &inlined, 1);
	wp_calltree_init(&tree, &graph, 0, &names);
	CHECK_U64(named(&tree, "tiny (inlined)")->self, 5);
	CHECK_U64(named(&tree, "leaf")->self, 0);
	CHECK_U64(named(&tree, "leaf")->total, 5);
	CHECK_U64(named(&tree, "unknown:lib.so")->total, 5);
	CHECK_STR(named(&tree, "unknown:lib.so")->module, "lib.so");
	CHECK_U64(graph.ends[WP_STACK_NO_RULE], 1);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);
}

static void test_no_room(void)
{
	struct wp_calltree tree;
	uint32_t places[2] = {WP_NO_PLACE, 0};

	graph = (struct wp_callgraph){0};
	ADD(1, LEAF, MAIN);
	graph.n_nodes = WP_CALLGRAPH_NODES;
	ADD(2, LEAF, MAIN);
	ADD(4, LEAF, A, MAIN);
	wp_callgraph_add(&graph, 0, places, 2, 8, WP_STACK_COMPLETE);
	wp_calltree_init(&tree, &graph, 0, &names);
	CHECK_U64(named(&tree, "leaf")->self, 3);
	CHECK_U64(named(&tree, "(stacks without room)")->self, 12);
	CHECK_U64(tree.weight, 15);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);
}

static void test_empty(void)
{
	struct wp_calltree tree;

	graph = (struct wp_callgraph){0};
	wp_calltree_init(&tree, &graph, 3, &names);
	CHECK_U64(tree.weight, 0);
	CHECK_U64(tree.callees.v.v[0].n, 0);
	wp_calltree_deinit(&tree);
}

/* Functions of different files that read the same are not one that calls itself. */
static void test_python(void)
{
	struct wp_calltree tree;
	uint32_t one = (uint32_t)set.symbols.n, two = one + 1;

	graph = (struct wp_callgraph){0};
	for (int i = 0; i < 2; i++) {
		struct wp_symbol module = {.name = "<module>",
					   .raw = "<module>",
					   .kind = WP_SYMBOL_PYTHON,
					   .module = (uint32_t)set.modules.n,
					   .line = 1};

		wp_vec_push(&set.modules, (struct wp_module){.name = "x/__init__.py",
							     .path = i ? "/b/x" : "/a/x"});
		wp_vec_push(&set.symbols, module);
	}
	ADD(1, LEAF, (int)two, (int)one, MAIN);
	wp_calltree_init(&tree, &graph, 0, &names);
	CHECK_U64(tree.functions.n, 4);
	CHECK_STR(tree.functions.v[1].text, "<module> (x/__init__.py:1)");
	CHECK_STR(tree.functions.v[2].text, "<module> (x/__init__.py:1)");
	CHECK(tree.functions.v[1].kind == WP_SYMBOL_PYTHON);
	CHECK_STR(tree.functions.v[1].path, "/a/x");
	CHECK_STR(tree.functions.v[2].path, "/b/x");
	CHECK_U64(tree.functions.v[1].line, 1);
	CHECK(tree.functions.v[0].kind == WP_SYMBOL_NATIVE);
	CHECK(!tree.functions.v[0].path);
	wp_calltree_deinit(&tree);
	wp_callgraph_deinit(&graph);
}

int main(void)
{
	make_symbols();
	RUN(test_shares);
	RUN(test_recursion);
	RUN(test_folding);
	RUN(test_inlined);
	RUN(test_no_room);
	RUN(test_python);
	RUN(test_empty);
	wp_vec_deinit(&set.symbols);
	wp_vec_deinit(&set.modules);
	return check_done();
}
