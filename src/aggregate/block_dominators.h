/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block_dominators: which blocks each block can only be reached through.
 *
 * Aggregate stage. In: blocks and edges. Out: a tree. What is not reached from the entry is below a
 * root of its own, and does not count as a way into what is reached.
 */
#ifndef WP_BLOCK_DOMINATORS_H
#define WP_BLOCK_DOMINATORS_H

#include "core/blocks.h"

struct wp_dominators {
	size_t n;
	uint32_t *order;	 /* blocks in order of a walk through the graph, depth first */
	uint32_t *number;	 /* of a block in that order */
	uint32_t *parent;	 /* in that walk, by number; UINT32_MAX: a root */
	uint32_t *immediate;	 /* dominator of a block: a block; UINT32_MAX: a root */
	uint32_t *enter, *leave; /* of a block: clock of a walk through the tree of dominators */
	uint32_t *first_pred;	 /* of a block: index in preds; n + 1 of them */
	uint32_t *preds;	 /* blocks that lead to it */
};

/* The caller deinits. Time grows with edges times the logarithm of blocks. */
void wp_dominators_find(const struct wp_blocks *blocks, struct wp_dominators *ret);
void wp_dominators_deinit(struct wp_dominators *dominators);
#define wp_autodominators WP_CLEANUP(wp_dominators_deinit)

/* True when every way from the root to b is through a; a block dominates itself. */
static inline bool wp_dominates(const struct wp_dominators *d, uint32_t a, uint32_t b)
{
	return d->enter[a] <= d->enter[b] && d->leave[b] <= d->leave[a];
}

/* An edge that counts: not one from what is not reached into what is. */
static inline bool wp_dominators_take(const struct wp_blocks *blocks, uint32_t from, uint32_t to)
{
	return blocks->blocks.v[from].reached || !blocks->blocks.v[to].reached;
}

#endif
