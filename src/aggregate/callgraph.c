/* callgraph: see callgraph.h. */
#include "aggregate/callgraph.h"

#include <stdlib.h>

uint32_t wp_callgraph_place(struct wp_callgraph *graph, uint32_t symbol, struct wp_rva rva)
{
	uint64_t key = rva.v ^ (uint64_t)symbol * 0x9e3779b97f4a7c15;
	uint64_t *head = wp_map_put(&graph->place_of, key);
	struct wp_callgraph_place place = {.symbol = symbol, .rva = rva, .next = (uint32_t)*head};

	for (uint64_t at = *head; at; at = graph->places.v[at - 1].next)
		if (graph->places.v[at - 1].symbol == symbol &&
		    graph->places.v[at - 1].rva.v == rva.v)
			return (uint32_t)(at - 1);
	if (graph->places.n >= WP_CALLGRAPH_PLACES)
		return WP_NO_PLACE;
	wp_vec_push(&graph->places, place);
	*head = graph->places.n;
	return (uint32_t)(graph->places.n - 1);
}

static struct wp_callgraph_event *event_of(struct wp_callgraph *graph, uint32_t event)
{
	while (graph->events.n <= event)
		wp_vec_push(&graph->events, (struct wp_callgraph_event){0});
	if (!graph->events.v[event].nodes.n) {
		struct wp_callgraph_node top = {.place = WP_NO_PLACE};

		wp_vec_push(&graph->events.v[event].nodes, top);
	}
	return &graph->events.v[event];
}

/* The node of a callee; 0 when there are too many. The one for WP_NO_PLACE is always made. */
static uint32_t child_of(struct wp_callgraph *graph, struct wp_callgraph_event *event,
			 uint32_t parent, uint32_t place)
{
	uint64_t key = (uint64_t)parent << 32 | place;
	uint64_t *at = wp_map_get(&event->child_of, key);

	if (at)
		return (uint32_t)*at;
	if (graph->n_nodes >= WP_CALLGRAPH_NODES && place != WP_NO_PLACE)
		return 0;
	graph->n_nodes++;
	*wp_map_put(&event->child_of, key) = event->nodes.n;
	wp_vec_push(&event->nodes, (struct wp_callgraph_node){.parent = parent, .place = place});
	return (uint32_t)(event->nodes.n - 1);
}

void wp_callgraph_add(struct wp_callgraph *graph, uint32_t index, const uint32_t *places, size_t n,
		      uint64_t period, enum wp_stack_end end)
{
	struct wp_callgraph_event *event = event_of(graph, index);
	uint32_t node = 0;

	for (size_t i = n; i-- > 0;) {
		node = places[i] == WP_NO_PLACE ? 0 : child_of(graph, event, node, places[i]);
		if (!node)
			break;
	}
	if (!node)
		node = child_of(graph, event, 0, WP_NO_PLACE);
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

void wp_callgraph_deinit(struct wp_callgraph *graph)
{
	wp_vec_each (struct wp_callgraph_event, event, &graph->events) {
		wp_map_deinit(&event->child_of);
		wp_vec_deinit(&event->nodes);
	}
	wp_map_deinit(&graph->place_of);
	wp_vec_deinit(&graph->places);
	wp_vec_deinit(&graph->inlined);
	wp_vec_deinit(&graph->events);
}
