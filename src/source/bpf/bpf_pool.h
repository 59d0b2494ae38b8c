/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_pool: which part of a long row of slots is free: first fit, neighbours joined.
 *
 * Source stage; pure bookkeeping. The slots themselves lie in chunks of the same length that are
 * made one after the other; a slice may be told to lie in one chunk.
 */
#ifndef WP_BPF_POOL_H
#define WP_BPF_POOL_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_bpf_slice {
	uint32_t first, n;
};

struct wp_bpf_pool {
	uint32_t chunk;			    /* slots per chunk */
	uint32_t chunks;		    /* at most */
	bool straddles;			    /* a slice may lie in several chunks */
	uint32_t high;			    /* slots below it were handed out at some time */
	WP_VEC(struct wp_bpf_slice) unused; /* below `high`, in order, never adjacent */
};

/* False when there is no room. An empty slice (n 0) is always there. */
bool wp_bpf_pool_take(struct wp_bpf_pool *pool, uint32_t n, struct wp_bpf_slice *ret);
/* Gives back a slice that was taken. */
void wp_bpf_pool_give(struct wp_bpf_pool *pool, struct wp_bpf_slice slice);
void wp_bpf_pool_deinit(struct wp_bpf_pool *pool);

#endif
