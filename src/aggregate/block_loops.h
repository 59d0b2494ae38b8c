/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block_loops: the natural loops of a function, and which is in which.
 *
 * Aggregate stage. In: blocks, edges and dominators. Out: loops; those with one header are one.
 */
#ifndef WP_BLOCK_LOOPS_H
#define WP_BLOCK_LOOPS_H

#include "aggregate/block_dominators.h"

/* Fills blocks->loops, without samples, blocks->irreducible, and `loop` of each block. */
void wp_block_loops_find(struct wp_blocks *blocks, const struct wp_dominators *dominators);

#endif
