/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callgraph: samples by stack, as one tree of places per event.
 *
 * Aggregate stage. In: the places of each sample's frames. Out: nodes that share their callers,
 * which aggregate/calltree makes readable. A place is a function, or an address in one where the
 * functions that were inlined there may be asked for later. Memory is bounded: stacks that find no
 * room are kept as one node without callers.
 */
#ifndef WP_CALLGRAPH_H
#define WP_CALLGRAPH_H

#include "base/vec.h"
#include "core/addr.h"
#include "core/stack.h"

#include <stdint.h>

/* Of all events; with the top one and that of stacks without room an array that doubles has room
 * for as many. */
#define WP_CALLGRAPH_NODES  ((1u << 20) - 3)
#define WP_CALLGRAPH_PLACES (1u << 20)
#define WP_NO_PLACE	    UINT32_MAX

struct wp_callgraph_place {
	uint32_t symbol;
	struct wp_rva rva; /* 0: anywhere in the function */
	uint32_t next;	   /* the next place with the same hash + 1, or 0 */
	/* A range of callgraph.inlined: symbols inlined at the address, outermost first. */
	uint32_t inlined, n_inlined;
};

struct wp_callgraph_node {
	uint32_t parent;	  /* index of the caller's node; 0: none */
	uint32_t place;		  /* WP_NO_PLACE: of stacks that found no room */
	uint64_t samples, weight; /* of the stacks that end here */
	uint32_t next;		  /* the next node with the same hash, or 0 */
};

/* The first of those with the same hash, by hash; as many as there is room for, or more. There may
 * be a million of each, so that a table of keys would take more than they do. */
struct wp_callgraph_heads {
	uint32_t *v; /* 0: none */
	size_t n;    /* 0 or a power of two */
};

/* The outer part of a stack that was added, outermost first. */
#define WP_CALLGRAPH_STEPS 128
struct wp_callgraph_path {
	uint32_t n;
	struct {
		uint32_t place, node;
	} steps[WP_CALLGRAPH_STEPS];
};

struct wp_callgraph_event {
	struct wp_callgraph_heads child_of; /* nodes by parent and place */
	struct wp_callgraph_path *paths;    /* of recent stacks, by their outermost places */
	/* Node 0 is above all outermost functions; a node comes behind its parent. */
	WP_VEC(struct wp_callgraph_node) nodes;
};

/* All-zero is empty. */
struct wp_callgraph {
	struct wp_callgraph_heads place_of; /* places + 1 */
	uint32_t *recent; /* places + 1 that were asked for lately, by hash; NULL: none */
	WP_VEC(struct wp_callgraph_place) places;
	WP_VEC(uint32_t) inlined;
	WP_VEC(struct wp_callgraph_event) events; /* grown to the highest event index seen */
	size_t n_nodes;
	uint64_t ends[WP_STACK_ENDS]; /* stacks by why they end */
};

/* The id of a place, made when it is new; WP_NO_PLACE when there are too many. */
uint32_t wp_callgraph_place(struct wp_callgraph *graph, uint32_t symbol, struct wp_rva rva);
/* Adds one sample; n places, innermost first, as wp_callgraph_place() gave them. */
void wp_callgraph_add(struct wp_callgraph *graph, uint32_t event, const uint32_t *places, size_t n,
		      uint64_t period, enum wp_stack_end end);
/* Says which functions are inlined at a place, outermost first. */
void wp_callgraph_set_inlined(struct wp_callgraph *graph, uint32_t place, const uint32_t *symbols,
			      size_t n);
/* How much memory it takes. */
uint64_t wp_callgraph_bytes(const struct wp_callgraph *graph);
void wp_callgraph_deinit(struct wp_callgraph *graph);

#endif
