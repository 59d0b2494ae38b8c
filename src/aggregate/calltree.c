/* SPDX-License-Identifier: BSD-3-Clause */
/* calltree: see calltree.h. */
#include "aggregate/calltree.h"

#include "base/strpool.h"

#include <stdlib.h>
#include <string.h>

struct builder {
	struct wp_calltree *tree;
	const struct wp_callgraph *graph;
	const struct wp_hot_options *options;
	struct wp_strpool texts;
	struct wp_map function_of_text; /* text id -> function + 1 */
	uint32_t *node_of;		/* callgraph node -> tree node */
};

/* name: NULL when it is not known. */
static uint32_t add_tree_function(struct builder *b, const char *text, const char *name,
				  const char *module, enum wp_symbol_kind kind)
{
	struct wp_calltree_function function = {
		.text = wp_arena_strdup(&b->tree->arena, text),
		.name = name ? name : "unknown",
		.module = module,
		.known = name,
		.kind = kind,
	};

	wp_vec_push(&b->tree->functions, function);
	return (uint32_t)(b->tree->functions.n - 1);
}

static uint32_t function_named(struct builder *b, const char *text, const char *name,
			       const char *module, enum wp_symbol_kind kind)
{
	uint64_t *at = wp_map_put(&b->function_of_text, wp_strpool_id(&b->texts, text));

	if (!*at)
		*at = add_tree_function(b, text, name, module, kind) + 1;
	return (uint32_t)(*at - 1);
}

/* The function of a symbol that is met first. */
static uint32_t new_function(struct builder *b, const struct wp_symbol *symbol)
{
	const struct wp_symbol_set *set = b->options->symbols;
	const char *module =
		symbol->module == WP_NO_MODULE ? "" : set->modules.v[symbol->module].name;
	const char *name = wp_hot_name(symbol, b->options);
	const char *text = wp_hot_text(&b->tree->arena, symbol, b->options);
	uint32_t function;

	if (!name && *module) /* in a stack it matters which file has no names */
		text = wp_arena_printf(&b->tree->arena, "%s:%s", text, module);
	if (symbol->kind != WP_SYMBOL_PYTHON)
		return function_named(b, text, name, module, symbol->kind);
	/* Many files have a <module> in line 1, and packages the same file names. */
	function = add_tree_function(b, text, name, module, symbol->kind);
	b->tree->functions.v[function].path =
		symbol->module == WP_NO_MODULE ? "" : set->modules.v[symbol->module].path;
	b->tree->functions.v[function].line = symbol->line;
	return function;
}

static uint32_t tree_function_of(struct builder *b, uint32_t id)
{
	uint64_t *at = wp_map_put(&b->tree->of_symbol, id);

	if (!*at) {
		uint32_t function = new_function(b, &b->options->symbols->symbols.v[id]);
		struct wp_calltree_function *f = &b->tree->functions.v[function];

		f->symbol = f->has_symbol ? f->symbol : id;
		f->has_symbol = true;
		*at = function + 1;
	}
	return (uint32_t)(*at - 1);
}

static uint32_t tree_child_of(struct wp_calltree_nodes *nodes, uint32_t parent, uint32_t function)
{
	uint64_t *at;

	if (!nodes->v.n)
		wp_vec_push(&nodes->v, (struct wp_calltree_node){0});
	at = wp_map_put(&nodes->child_of, (uint64_t)parent << 32 | function);
	if (!*at) {
		struct wp_calltree_node node = {.parent = parent, .function = function};

		*at = nodes->v.n;
		wp_vec_push(&nodes->v, node);
	}
	return (uint32_t)*at;
}

/* One place may be several functions: the one that has the address and those inlined there. */
static uint32_t add_place_nodes(struct builder *b, uint32_t parent, uint32_t index)
{
	struct wp_calltree_nodes *nodes = &b->tree->callees;
	const struct wp_callgraph_place *place;
	uint32_t node;

	if (index == WP_NO_PLACE)
		return tree_child_of(
			nodes, parent,
			function_named(b, "(stacks without room)", NULL, "", WP_SYMBOL_NATIVE));
	place = &b->graph->places.v[index];
	node = tree_child_of(nodes, parent, tree_function_of(b, place->symbol));
	for (uint32_t i = 0; i < place->n_inlined; i++)
		node = tree_child_of(nodes, node,
				     tree_function_of(b, b->graph->inlined.v[place->inlined + i]));
	return node;
}

static void add_callee_nodes(struct builder *b, const struct wp_callgraph_event *event)
{
	b->node_of = wp_calloc(event->nodes.n + 1, sizeof(*b->node_of));
	for (size_t i = 1; i < event->nodes.n; i++) {
		const struct wp_callgraph_node *from = &event->nodes.v[i];
		uint32_t to = add_place_nodes(b, b->node_of[from->parent], from->place);

		b->node_of[i] = to;
		b->tree->callees.v.v[to].samples += from->samples;
		b->tree->callees.v.v[to].self += from->weight;
	}
	free(b->node_of);
}

static void sum_up_calltree(struct wp_calltree_nodes *nodes)
{
	for (size_t i = nodes->v.n; i-- > 0;) {
		struct wp_calltree_node *node = &nodes->v.v[i];

		node->total += node->self;
		if (i) {
			nodes->v.v[node->parent].samples += node->samples;
			nodes->v.v[node->parent].total += node->total;
		}
	}
}

struct ranked {
	uint64_t weight;
	const char *text;
	uint32_t index;
};

static int compare_nodes(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	if (strcmp(x->text, y->text) != 0)
		return strcmp(x->text, y->text);
	return (x->index > y->index) - (x->index < y->index);
}

static void sort_children(const struct wp_calltree *tree, struct wp_calltree_nodes *nodes,
			  struct wp_calltree_node *node, struct ranked *scratch)
{
	for (uint32_t i = 0; i < node->n; i++) {
		uint32_t index = nodes->order[node->first + i];
		const struct wp_calltree_node *child = &nodes->v.v[index];
		const char *text = tree->functions.v[child->function].text;

		scratch[i] = (struct ranked){child->total, text, index};
	}
	if (node->n > 1)
		qsort(scratch, node->n, sizeof(*scratch), compare_nodes);
	for (uint32_t i = 0; i < node->n; i++)
		nodes->order[node->first + i] = scratch[i].index;
}

/* Gives every node the range of its children, the heaviest first. */
static void order_calltree_children(const struct wp_calltree *tree, struct wp_calltree_nodes *nodes)
{
	wp_autofree struct ranked *scratch = wp_calloc(nodes->v.n + 1, sizeof(*scratch));
	uint32_t at = 0;

	nodes->order = wp_calloc(nodes->v.n + 1, sizeof(*nodes->order));
	for (size_t i = 1; i < nodes->v.n; i++)
		nodes->v.v[nodes->v.v[i].parent].n++;
	wp_vec_each (struct wp_calltree_node, node, &nodes->v) {
		node->first = at;
		at += node->n;
		node->n = 0;
	}
	for (size_t i = 1; i < nodes->v.n; i++) {
		struct wp_calltree_node *parent = &nodes->v.v[nodes->v.v[i].parent];

		nodes->order[parent->first + parent->n++] = (uint32_t)i;
	}
	wp_vec_each (struct wp_calltree_node, node, &nodes->v)
		sort_children(tree, nodes, node, scratch);
}

/* A function's total is what its outermost calls cost: calls within calls are in there already. */
static void count_call(struct wp_calltree *tree, uint32_t index, uint32_t *depth)
{
	const struct wp_calltree_node *node = &tree->callees.v.v[index];
	struct wp_calltree_function *function = &tree->functions.v[node->function];

	function->self += node->self;
	if (depth[node->function]++)
		return;
	function->samples += node->samples;
	function->total += node->total;
}

/* Walks the tree depth first; depth[f] is how often f is on the way from the top. */
static void count_functions(struct wp_calltree *tree)
{
	const struct wp_calltree_nodes *nodes = &tree->callees;
	wp_autofree uint32_t *depth = wp_calloc(tree->functions.n + 1, sizeof(*depth));
	wp_autofree uint32_t *visited = wp_calloc(nodes->v.n, sizeof(*visited));
	uint32_t at = 0;

	for (;;) {
		const struct wp_calltree_node *node = &nodes->v.v[at];

		if (visited[at] < node->n) {
			at = nodes->order[node->first + visited[at]++];
			count_call(tree, at, depth);
		} else if (at) {
			depth[node->function]--;
			at = node->parent;
		} else {
			break;
		}
	}
}

void wp_calltree_init(struct wp_calltree *tree, const struct wp_callgraph *graph, uint32_t event,
		      const struct wp_hot_options *options)
{
	struct builder b = {.tree = tree, .graph = graph, .options = options};

	*tree = (struct wp_calltree){0};
	if (event < graph->events.n)
		add_callee_nodes(&b, &graph->events.v[event]);
	wp_strpool_deinit(&b.texts);
	wp_map_deinit(&b.function_of_text);
	if (!tree->callees.v.n)
		wp_vec_push(&tree->callees.v, (struct wp_calltree_node){0});
	sum_up_calltree(&tree->callees);
	order_calltree_children(tree, &tree->callees);
	count_functions(tree);
	tree->samples = tree->callees.v.v[0].samples;
	tree->weight = tree->callees.v.v[0].total;
}

void wp_calltree_nodes_deinit(struct wp_calltree_nodes *nodes)
{
	wp_map_deinit(&nodes->child_of);
	wp_vec_deinit(&nodes->v);
	free(nodes->order);
}

void wp_calltree_deinit(struct wp_calltree *tree)
{
	wp_calltree_nodes_deinit(&tree->callees);
	wp_map_deinit(&tree->of_symbol);
	wp_vec_deinit(&tree->functions);
	wp_arena_deinit(&tree->arena);
}

/* True when the n functions that end with this one behind the parent are the n before them. */
static bool repeats(const struct wp_calltree_nodes *nodes, uint32_t parent, uint32_t function,
		    uint32_t n)
{
	uint32_t late[WP_CALLTREE_CYCLE] = {function}, at = parent;

	for (uint32_t i = 1; i < n; i++, at = nodes->v.v[at].parent) {
		if (!at)
			return false;
		late[i] = nodes->v.v[at].function;
	}
	for (uint32_t i = 0; i < n; i++, at = nodes->v.v[at].parent)
		if (!at || nodes->v.v[at].function != late[i])
			return false;
	return true;
}

/* As tree_child_of(), but when a cycle has come round, the node where it began to end. */
static uint32_t folded_child_of(struct wp_calltree_nodes *nodes, uint32_t parent, uint32_t function)
{
	for (uint32_t n = 1; n <= WP_CALLTREE_CYCLE; n++) {
		uint32_t at = parent;

		if (!repeats(nodes, parent, function, n))
			continue;
		for (uint32_t i = 1; i < n; i++)
			at = nodes->v.v[at].parent;
		nodes->v.v[at].folded = true;
		return at;
	}
	return tree_child_of(nodes, parent, function);
}

void wp_calltree_fold(const struct wp_calltree *tree, struct wp_calltree_nodes *ret)
{
	const struct wp_calltree_nodes *callees = &tree->callees;
	wp_autofree uint32_t *folded = wp_calloc(callees->v.n, sizeof(*folded));

	*ret = (struct wp_calltree_nodes){0};
	wp_vec_push(&ret->v, (struct wp_calltree_node){0});
	for (size_t i = 1; i < callees->v.n; i++) {
		const struct wp_calltree_node *node = &callees->v.v[i];

		folded[i] = folded_child_of(ret, folded[node->parent], node->function);
		ret->v.v[folded[i]].self += node->self;
	}
	sum_up_calltree(ret);
	order_calltree_children(tree, ret);
}

void wp_calltree_callers(const struct wp_calltree *tree, uint32_t function,
			 struct wp_calltree_nodes *ret)
{
	const struct wp_calltree_nodes *callees = &tree->callees;

	*ret = (struct wp_calltree_nodes){0};
	wp_vec_push(&ret->v, (struct wp_calltree_node){0});
	for (uint32_t i = 1; i < callees->v.n; i++) {
		const struct wp_calltree_node *node = &callees->v.v[i];
		uint32_t to = 0;

		if (node->function != function || !node->self)
			continue;
		for (uint32_t at = i; at; at = callees->v.v[at].parent)
			to = folded_child_of(ret, to, callees->v.v[at].function);
		ret->v.v[to].self += node->self;
	}
	sum_up_calltree(ret);
	order_calltree_children(tree, ret);
}

static uint32_t *rank(const struct wp_calltree *tree, bool by_total)
{
	size_t n = tree->functions.n;
	wp_autofree struct ranked *ranked = wp_calloc(n + 1, sizeof(*ranked));
	uint32_t *ret = wp_calloc(n + 1, sizeof(*ret));

	for (size_t i = 0; i < n; i++) {
		const struct wp_calltree_function *function = &tree->functions.v[i];

		ranked[i] = (struct ranked){by_total ? function->total : function->self,
					    function->text, (uint32_t)i};
	}
	if (n)
		qsort(ranked, n, sizeof(*ranked), compare_nodes);
	for (size_t i = 0; i < n; i++)
		ret[i] = ranked[i].index;
	return ret;
}

uint32_t *wp_calltree_by_total(const struct wp_calltree *tree)
{
	return rank(tree, true);
}

uint32_t *wp_calltree_by_self(const struct wp_calltree *tree)
{
	return rank(tree, false);
}

bool wp_calltree_function_of(const struct wp_calltree *tree, uint32_t symbol, uint32_t *ret)
{
	const uint64_t *at = wp_map_get(&tree->of_symbol, symbol);

	if (!at)
		return false;
	*ret = (uint32_t)(*at - 1);
	return true;
}
