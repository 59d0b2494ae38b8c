/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calltree: one event's call graph by function, ready to be shown.
 *
 * Aggregate stage. In: a callgraph and the symbols. Out: functions with what they cost themselves
 * and with what they call, and trees of them. Functions that read the same are one; a function that
 * is several times in a stack (recursion) counts once in its total.
 */
#ifndef WP_CALLTREE_H
#define WP_CALLTREE_H

#include "aggregate/callgraph.h"
#include "aggregate/hot_rows.h"
#include "base/map.h"

struct wp_calltree_function {
	const char *text;	  /* as shown: "x_mul:libpython3.11.so", "swap (inlined)" */
	const char *name;	  /* without the module: what --symbol is matched with */
	const char *module;	  /* "" when it is in none */
	bool known;		  /* has a name: otherwise it stands for all that have none there */
	enum wp_symbol_kind kind; /* PYTHON: `name` is a qualified one */
	bool has_symbol;	  /* false: it stands for what has none */
	uint32_t symbol;	  /* the first one that reads so */
	const char *path;	  /* PYTHON: the source file, and the function's first line */
	uint32_t line;
	uint64_t samples; /* that are in it or in what it calls */
	uint64_t self, total;
};

struct wp_calltree_node {
	uint32_t parent, function; /* node 0 is above all and has no function */
	uint32_t first, n;	   /* its children: a range of `order`, by total descending */
	bool folded;		   /* calls of it below itself are in here too */
	uint64_t samples;	   /* that pass here */
	uint64_t self, total;	   /* weight of stacks that end here; that pass here */
};

/* A tree of functions; all-zero is empty. */
struct wp_calltree_nodes {
	struct wp_map child_of;
	WP_VEC(struct wp_calltree_node) v; /* a node comes behind its parent */
	uint32_t *order;
};

struct wp_calltree {
	struct wp_arena arena;
	WP_VEC(struct wp_calltree_function) functions;
	struct wp_map of_symbol;	  /* id -> index of functions + 1 */
	struct wp_calltree_nodes callees; /* from the outermost functions downwards */
	uint64_t samples, weight;
};

/* Strings of the symbols are borrowed. The caller deinits. */
void wp_calltree_init(struct wp_calltree *tree, const struct wp_callgraph *graph, uint32_t event,
		      const struct wp_hot_options *options);
/* The index of the function that a symbol is shown as; false: no stack has it. */
bool wp_calltree_function_of(const struct wp_calltree *tree, uint32_t symbol, uint32_t *ret);
void wp_calltree_deinit(struct wp_calltree *tree);

/*
 * The tree of callees with recursion folded: a cycle of calls that repeats (f f, or f g f g, up to
 * WP_CALLTREE_CYCLE functions) is there once. The caller deinits.
 */
#define WP_CALLTREE_CYCLE 8
void wp_calltree_fold(const struct wp_calltree *tree, struct wp_calltree_nodes *ret);
/*
 * The callers of one function, by what it cost itself: node 0's one child is the function, that
 * one's children are its callers, and so on; recursion is folded. Totals are the function's own
 * cost on that way. The caller deinits.
 */
void wp_calltree_callers(const struct wp_calltree *tree, uint32_t function,
			 struct wp_calltree_nodes *ret);
void wp_calltree_nodes_deinit(struct wp_calltree_nodes *nodes);

/* Function indexes by total (or by self) descending, then by text; those without any cost last. The
 * caller frees. */
uint32_t *wp_calltree_by_total(const struct wp_calltree *tree);
uint32_t *wp_calltree_by_self(const struct wp_calltree *tree);

#endif
