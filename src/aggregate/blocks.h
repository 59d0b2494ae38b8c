/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks: a function's flow graph with samples: sums of blocks and loops, and the hottest path.
 *
 * Aggregate stage. In: a flow graph, then counts of addresses. Out: struct wp_blocks.
 */
#ifndef WP_AGGREGATE_BLOCKS_H
#define WP_AGGREGATE_BLOCKS_H

#include "core/blocks.h"

/* A function without counts and lines; names are copied. Valid until the next is added. */
struct wp_blocks *wp_blocks_add(struct wp_blocks_list *list, const char *name, const char *module,
				const struct wp_flow_graph *graph);
/* Samples at an address of the function; what is before its first block counts for none. */
void wp_blocks_count(struct wp_blocks *blocks, uint64_t rva, uint32_t event, uint64_t samples);
/*
 * Ends counting: loops, their sums, and the path that is hottest by this event: from the entry on,
 * each time to the block that dominates most samples, until there is none that was not in it.
 */
void wp_blocks_finish(struct wp_blocks_list *list, struct wp_blocks *blocks, uint32_t event);
void wp_blocks_list_deinit(struct wp_blocks_list *list);
#define wp_autoblocks_list WP_CLEANUP(wp_blocks_list_deinit)

#endif
