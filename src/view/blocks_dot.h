/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks_dot: basic blocks as a graph in Graphviz's language DOT. */
#ifndef WP_BLOCKS_DOT_H
#define WP_BLOCKS_DOT_H

#include "base/writer.h"
#include "core/blocks.h"

/*
 * All functions, each in a box of its own; the warmer a block's colour, the larger its share of
 * the function's samples of that event.
 */
void wp_blocks_dot(const struct wp_blocks_list *list, uint32_t event, struct wp_writer *out);

#endif
