/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callgraph_sink: the stack of each sample becomes a way through the call graph, for -g.
 *
 * Aggregate stage. In: samples with their stacks. Out: the graph, and how well Python's frames went
 * between the native ones.
 */
#ifndef WP_CALLGRAPH_SINK_H
#define WP_CALLGRAPH_SINK_H

#include "aggregate/callgraph.h"
#include "core/sink.h"
#include "core/symbol.h"

/* All-zero is empty. */
struct wp_callgraph_sink {
	struct wp_sink sink;
	/* Borrowed: places are addresses, of which what was inlined there will be asked. NULL: they
	 * are functions. */
	const struct wp_symbol_set *set;
	struct wp_callgraph graph;
	uint64_t unbound, missing; /* of all samples: see struct wp_sample */
	WP_VEC(uint32_t) places;   /* of the sample at hand */
};

/* Takes samples from then on. */
struct wp_sink *wp_callgraph_sink(struct wp_callgraph_sink *sink);
void wp_callgraph_sink_deinit(struct wp_callgraph_sink *sink);

#endif
