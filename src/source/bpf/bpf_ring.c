/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_ring: see bpf_ring.h. */
#include "source/bpf/bpf_ring.h"

#include <string.h>

/* For all CPUs. */
#define RINGS_BYTES (256u << 20)

uint64_t wp_bpf_ring_bytes(size_t rings)
{
	uint64_t bytes = WP_WALK_RING_MAX;

	while (bytes > WP_WALK_RING_MIN && bytes * rings > RINGS_BYTES)
		bytes /= 2;
	return bytes;
}

uint64_t wp_bpf_ring_begin(struct wp_bpf_ring *ring)
{
	if (!ring->shared)
		return 0;
	/* Pairs with the barrier of the program's addition. */
	ring->head = __atomic_load_n(&ring->shared->head, __ATOMIC_ACQUIRE);
	ring->tail = ring->shared->tail;
	return ring->head;
}

/* Passes over everything up to the head. */
static const void *skip_bpf_ring(struct wp_bpf_ring *ring)
{
	ring->damaged++;
	ring->tail = ring->head;
	return NULL;
}

const void *wp_bpf_ring_peek(struct wp_bpf_ring *ring, size_t *ret_size)
{
	uint64_t left = ring->head - ring->tail;
	struct wp_walk_sample sample;
	const uint8_t *at;

	if (left == 0)
		return NULL;
	if (left > ring->bytes || left < sizeof(sample))
		return skip_bpf_ring(ring);
	at = ring->shared->data + (ring->tail & (ring->bytes - 1));
	memcpy(&sample, at, sizeof(sample));
	if (sample.size < sizeof(sample) || sample.size % 8 || sample.size > left)
		return skip_bpf_ring(ring);
	*ret_size = sample.size;
	return at;
}

void wp_bpf_ring_pass(struct wp_bpf_ring *ring, size_t size)
{
	ring->tail += size;
}

void wp_bpf_ring_end(struct wp_bpf_ring *ring)
{
	/* Our reads are done before the program may write there again. */
	if (ring->shared)
		__atomic_store_n(&ring->shared->tail, ring->tail, __ATOMIC_RELEASE);
}
