/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_graph: a function's basic blocks and where each goes on, as plain data.
 *
 * In: code (resolve/flow). Out: to who counts samples in blocks. A block is entered at its first
 * instruction only and left behind its last one only; a call does not end it.
 */
#ifndef WP_FLOW_GRAPH_H
#define WP_FLOW_GRAPH_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> /* free() */

enum wp_block_end {
	WP_BLOCK_NEXT,	  /* goes on behind it, where something else leads to as well */
	WP_BLOCK_JUMP,	  /* one jump, within the function */
	WP_BLOCK_BRANCH,  /* a conditional one */
	WP_BLOCK_TABLE,	  /* a jump through a table that was read */
	WP_BLOCK_RETURN,  /* to the caller */
	WP_BLOCK_LEAVE,	  /* a jump to another function: a tail call, or a part that stands apart */
	WP_BLOCK_STOP,	  /* a trap, or a call that does not return */
	WP_BLOCK_UNKNOWN, /* an indirect jump that was not understood */
	WP_BLOCK_CUT,	  /* the function's bytes end, or what follows is no instruction */
};

enum wp_edge_kind {
	WP_EDGE_NEXT,  /* to what stands behind */
	WP_EDGE_JUMP,  /* of a jump, or a conditional one that is taken */
	WP_EDGE_TABLE, /* of an entry of a table */
};

struct wp_flow_edge {
	uint32_t to; /* index of a block */
	enum wp_edge_kind kind;
};

struct wp_flow_block {
	uint64_t start; /* rva */
	uint32_t size;	/* bytes */
	uint32_t first_instruction, instructions;
	enum wp_block_end end;
	bool reached;	      /* from the first block, by the edges that are known */
	bool leaves;	      /* a conditional jump leads to another function */
	uint32_t first, n_to; /* edges of it; no two to the same block */
};

/* All-zero is empty. */
struct wp_flow_graph {
	WP_VEC(struct wp_flow_block) blocks; /* by address; the first one is the entry */
	WP_VEC(struct wp_flow_edge) edges;   /* by block */
	WP_VEC(uint64_t) instructions;	     /* rvas, by block */
	uint32_t tables;		     /* jumps through a table that was read, */
	uint32_t guessed;    /* of these so many with nothing that says where the table ends */
	uint32_t pointers;   /* jumps through pointers, taken for tail calls */
	uint32_t unfollowed; /* indirect jumps that were not understood */
	uint32_t data_bytes; /* among the code, which are no instructions or a table */
	bool cut;	     /* a limit was reached: there is more */
};

/* The block that has the address: the last one that does not begin behind it; NULL: none. */
static inline const struct wp_flow_block *wp_flow_graph_at(const struct wp_flow_graph *graph,
							   uint64_t rva)
{
	size_t low = 0, high = graph->blocks.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (graph->blocks.v[mid].start <= rva)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &graph->blocks.v[low - 1] : NULL;
}

static inline void wp_flow_graph_deinit(struct wp_flow_graph *graph)
{
	wp_vec_deinit(&graph->blocks);
	wp_vec_deinit(&graph->edges);
	wp_vec_deinit(&graph->instructions);
}
#define wp_autoflow_graph WP_CLEANUP(wp_flow_graph_deinit)

#endif
