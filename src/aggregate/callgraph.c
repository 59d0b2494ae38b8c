/* SPDX-License-Identifier: BSD-3-Clause */
/* callgraph: see callgraph.h. */
#include "aggregate/callgraph.h"

#include "base/hash.h"

#include <stdlib.h>

/* Powers of two. */
#define RECENT (1u << 14)
#define PATHS  16
#define FEW    1024

static uint32_t *head_of(const struct wp_callgraph_heads *heads, uint64_t key)
{
	return &heads->v[wp_hash_spread(key) >> 32 & (heads->n - 1)];
}

/* True when there were too few for one more: they are twice as many then, and empty. */
static bool widen(struct wp_callgraph_heads *heads, size_t n)
{
	if (n < heads->n)
		return false;
	free(heads->v);
	heads->n = heads->n ? heads->n * 2 : FEW;
	heads->v = wp_calloc(heads->n, sizeof(*heads->v));
	return true;
}

static uint64_t place_key(uint32_t symbol, struct wp_rva rva)
{
	return rva.v ^ wp_hash_spread(symbol);
}

static void link_place(struct wp_callgraph *graph, uint32_t index)
{
	struct wp_callgraph_place *place = &graph->places.v[index];
	uint32_t *head = head_of(&graph->place_of, place_key(place->symbol, place->rva));

	place->next = *head;
	*head = index + 1;
}

static uint32_t find_graph_place(struct wp_callgraph *graph, uint64_t key, uint32_t symbol,
				 struct wp_rva rva)
{
	struct wp_callgraph_place place = {.symbol = symbol, .rva = rva};

	if (widen(&graph->place_of, graph->places.n))
		for (size_t i = 0; i < graph->places.n; i++)
			link_place(graph, (uint32_t)i);
	for (uint32_t at = *head_of(&graph->place_of, key); at; at = graph->places.v[at - 1].next)
		if (graph->places.v[at - 1].symbol == symbol &&
		    graph->places.v[at - 1].rva.v == rva.v)
			return at - 1;
	if (graph->places.n >= WP_CALLGRAPH_PLACES)
		return WP_NO_PLACE;
	wp_vec_push(&graph->places, place);
	link_place(graph, (uint32_t)(graph->places.n - 1));
	return (uint32_t)(graph->places.n - 1);
}

uint32_t wp_callgraph_place(struct wp_callgraph *graph, uint32_t symbol, struct wp_rva rva)
{
	uint64_t key = place_key(symbol, rva);
	const struct wp_callgraph_place *known;
	uint32_t *recent;

	if (!graph->recent)
		graph->recent = wp_calloc(RECENT, sizeof(*graph->recent));
	recent = &graph->recent[wp_hash_spread(key) >> 32 & (RECENT - 1)];
	known = *recent ? &graph->places.v[*recent - 1] : NULL;
	if (!known || known->symbol != symbol || known->rva.v != rva.v)
		*recent = find_graph_place(graph, key, symbol, rva) + 1;
	return *recent - 1;
}

static struct wp_callgraph_event *callgraph_event_of(struct wp_callgraph *graph, uint32_t event)
{
	while (graph->events.n <= event)
		wp_vec_push(&graph->events, (struct wp_callgraph_event){0});
	if (!graph->events.v[event].nodes.n) {
		struct wp_callgraph_node top = {.place = WP_NO_PLACE};

		wp_vec_push(&graph->events.v[event].nodes, top);
	}
	return &graph->events.v[event];
}

static uint64_t node_key(uint32_t parent, uint32_t place)
{
	return (uint64_t)parent << 32 | place;
}

static void link_node(struct wp_callgraph_event *event, uint32_t index)
{
	struct wp_callgraph_node *node = &event->nodes.v[index];
	uint32_t *head = head_of(&event->child_of, node_key(node->parent, node->place));

	node->next = *head;
	*head = index;
}

/* The node of a callee; 0 when there are too many. The one for WP_NO_PLACE is always made. */
static uint32_t callee_node_of(struct wp_callgraph *graph, struct wp_callgraph_event *event,
			       uint32_t parent, uint32_t place)
{
	if (widen(&event->child_of, event->nodes.n))
		for (size_t i = 1; i < event->nodes.n; i++)
			link_node(event, (uint32_t)i);
	for (uint32_t at = *head_of(&event->child_of, node_key(parent, place)); at;
	     at = event->nodes.v[at].next)
		if (event->nodes.v[at].parent == parent && event->nodes.v[at].place == place)
			return at;
	if (graph->n_nodes >= WP_CALLGRAPH_NODES && place != WP_NO_PLACE)
		return 0;
	graph->n_nodes++;
	wp_vec_push(&event->nodes, (struct wp_callgraph_node){.parent = parent, .place = place});
	link_node(event, (uint32_t)(event->nodes.n - 1));
	return (uint32_t)(event->nodes.n - 1);
}

/* Where a stack like this one may have been before. */
static struct wp_callgraph_path *last_path_like(struct wp_callgraph_event *event,
						const uint32_t *places, size_t n)
{
	uint32_t mixed = 0;

	if (!event->paths)
		event->paths = wp_calloc(PATHS, sizeof(*event->paths));
	for (size_t i = 0; i < 3 && i < n; i++)
		mixed = (mixed ^ places[n - 1 - i]) * 0x9e3779b1u;
	return &event->paths[mixed >> 16 & (PATHS - 1)];
}

/* The node of a whole stack; 0 when it finds no room. */
static uint32_t node_of_stack(struct wp_callgraph *graph, struct wp_callgraph_event *event,
			      const uint32_t *places, size_t n)
{
	struct wp_callgraph_path *path = last_path_like(event, places, n);
	uint32_t node = 0, depth = 0;

	/* Stacks of a thread differ in their inner frames. */
	for (; depth < path->n && depth < n && path->steps[depth].place == places[n - 1 - depth];
	     depth++)
		node = path->steps[depth].node;
	for (; depth < n; depth++) {
		uint32_t place = places[n - 1 - depth];

		node = place == WP_NO_PLACE ? 0 : callee_node_of(graph, event, node, place);
		if (!node)
			return 0;
		if (depth < WP_CALLGRAPH_STEPS) {
			path->steps[depth].place = place;
			path->steps[depth].node = node;
			path->n = depth + 1;
		}
	}
	return node;
}

void wp_callgraph_add(struct wp_callgraph *graph, uint32_t index, const uint32_t *places, size_t n,
		      uint64_t period, enum wp_stack_end end)
{
	struct wp_callgraph_event *event = callgraph_event_of(graph, index);
	uint32_t node = node_of_stack(graph, event, places, n);

	if (!node)
		node = callee_node_of(graph, event, 0, WP_NO_PLACE);
	event->nodes.v[node].samples++;
	event->nodes.v[node].weight += period;
	graph->ends[end < WP_STACK_ENDS ? end : WP_STACK_UNREADABLE]++;
}

void wp_callgraph_set_inlined(struct wp_callgraph *graph, uint32_t place, const uint32_t *symbols,
			      size_t n)
{
	graph->places.v[place].inlined = (uint32_t)graph->inlined.n;
	graph->places.v[place].n_inlined = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		wp_vec_push(&graph->inlined, symbols[i]);
}

uint64_t wp_callgraph_bytes(const struct wp_callgraph *graph)
{
	uint64_t bytes = graph->place_of.n * sizeof(*graph->place_of.v) +
			 (graph->recent ? RECENT * sizeof(*graph->recent) : 0) +
			 graph->places.cap * sizeof(*graph->places.v) +
			 graph->inlined.cap * sizeof(*graph->inlined.v);

	wp_vec_each (struct wp_callgraph_event, event, &graph->events)
		bytes += event->child_of.n * sizeof(*event->child_of.v) +
			 (event->paths ? PATHS * sizeof(*event->paths) : 0) +
			 event->nodes.cap * sizeof(*event->nodes.v);
	return bytes;
}

void wp_callgraph_deinit(struct wp_callgraph *graph)
{
	wp_vec_each (struct wp_callgraph_event, event, &graph->events) {
		free(event->child_of.v);
		free(event->paths);
		wp_vec_deinit(&event->nodes);
	}
	free(graph->place_of.v);
	free(graph->recent);
	wp_vec_deinit(&graph->places);
	wp_vec_deinit(&graph->inlined);
	wp_vec_deinit(&graph->events);
}
