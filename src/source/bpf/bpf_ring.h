/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_ring: the reader's side of a ring of walks (struct wp_walk_ring).
 *
 * Source stage. The program never overwrites what lies between tail and head, so a record is read
 * in place and is valid until wp_bpf_ring_end() gives its room back. Plain: a test may point it at
 * memory of its own.
 */
#ifndef WP_BPF_RING_H
#define WP_BPF_RING_H

#include "bpf/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_bpf_ring {
	struct wp_walk_ring *shared; /* NULL: there is none, and nothing in it */
	uint64_t bytes;		     /* a power of two */
	uint64_t head, tail;	     /* of the drain in progress */
	uint64_t damaged; /* times that what lay in it made no sense and was passed over */
};

/* How large each of so many rings is; a power of two. */
uint64_t wp_bpf_ring_bytes(size_t rings);
/*
 * Begins a drain of what is in the ring now: every walk of a sample that perf's ring held before.
 * Returns where that ends. May be called again before anything was passed over, to see more.
 */
uint64_t wp_bpf_ring_begin(struct wp_bpf_ring *ring);
/* The record at the tail, as it would be in perf's ring; NULL: there is none left. */
const void *wp_bpf_ring_peek(struct wp_bpf_ring *ring, size_t *ret_size);
/* Passes over it. */
void wp_bpf_ring_pass(struct wp_bpf_ring *ring, size_t size);
void wp_bpf_ring_end(struct wp_bpf_ring *ring);

#endif
