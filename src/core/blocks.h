/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks: sampled functions as basic blocks with the samples that were in each, as plain data.
 *
 * In: flow graphs and counts (aggregate/blocks). Out: tables, and pictures of the graph.
 */
#ifndef WP_BLOCKS_H
#define WP_BLOCKS_H

#include "base/arena.h"
#include "core/flow_graph.h"

#define WP_NO_LOOP UINT32_MAX

struct wp_block {
	uint64_t start; /* rva */
	uint32_t size;	/* bytes */
	uint32_t first_instruction, instructions;
	enum wp_block_end end;
	bool reached;		  /* from the entry, by what was followed */
	bool leaves;		  /* a conditional jump leads to another function */
	bool on_path;		  /* the hottest one */
	uint32_t first, n_to;	  /* in edges */
	uint32_t loop;		  /* the innermost one: index in loops, or WP_NO_LOOP */
	const char *file;	  /* that most of its instructions are of; NULL: not known */
	uint32_t line, last_line; /* the smallest and the largest of that file */
	uint64_t *samples;	  /* by event */
};

/* A natural loop: what leads back to its header without leaving what the header dominates. */
struct wp_block_loop {
	uint32_t header;   /* index of the block that it is entered at */
	uint32_t parent;   /* the loop around it: index, smaller than its own; WP_NO_LOOP: none */
	uint32_t depth;	   /* 1: outermost */
	uint32_t blocks;   /* of inner loops, too */
	uint64_t *samples; /* by event, of inner loops, too */
};

struct wp_blocks {
	const char *name, *module;
	uint32_t module_id; /* the resolver's */
	uint64_t start;
	uint64_t *samples;		   /* of the function, by event */
	WP_VEC(struct wp_block) blocks;	   /* by address; the first is the entry */
	WP_VEC(struct wp_flow_edge) edges; /* by block */
	WP_VEC(uint64_t) instructions;	   /* rvas, by block */
	WP_VEC(struct wp_block_loop) loops;
	WP_VEC(uint32_t) path; /* from the entry on; no block twice */
	uint64_t *path_samples;
	uint32_t irreducible; /* ways back to a block that does not dominate where they begin */
	uint32_t tables, guessed, pointers, unfollowed, data_bytes; /* as in the flow graph */
	bool cut;
};

/* n_events is to be set before the first is added. */
struct wp_blocks_list {
	size_t n_events;
	struct wp_arena arena; /* owns texts and counts */
	WP_VEC(struct wp_blocks) functions;
};

/* How deep in loops a block is; 0: in none. */
static inline uint32_t wp_block_depth(const struct wp_blocks *blocks, const struct wp_block *block)
{
	return block->loop == WP_NO_LOOP ? 0 : blocks->loops.v[block->loop].depth;
}

#endif
