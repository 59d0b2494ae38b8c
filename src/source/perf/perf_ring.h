/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_ring: one ring that the kernel writes records to, and we read from.
 *
 * Source stage. The kernel never overwrites what lies between tail and head, so a record is read in
 * place and stays valid until wp_perf_ring_end() gives its room back; only one that wraps is
 * copied. The struct is plain: a test may point it at memory of its own.
 */
#ifndef WP_PERF_RING_H
#define WP_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_mmap_page;

struct wp_perf_ring {
	struct perf_event_mmap_page *control;
	const uint8_t *data;
	uint64_t size; /* of data; a power of two */
	uint32_t cpu;
	uint64_t head, tail; /* of the drain in progress */
	uint64_t damaged;    /* times that what lay in the ring made no sense and was passed over */
	uint8_t *scratch;    /* made when the first record wraps */
};

/* Maps the ring of an event's descriptor; bytes is a power of two of whole pages. False: errno. */
bool wp_perf_ring_map(struct wp_perf_ring *ring, int fd, uint64_t bytes);
/* Unmaps it; an empty struct is fine. The descriptor belongs to the caller. */
void wp_perf_ring_unmap(struct wp_perf_ring *ring);

/* Begins a drain of what is in the ring now. */
void wp_perf_ring_begin(struct wp_perf_ring *ring);
/* The next whole record, valid until wp_perf_ring_end() and the next call; NULL at the end. */
const void *wp_perf_ring_next(struct wp_perf_ring *ring, size_t *ret_size);
/* Leaves the record that wp_perf_ring_next() gave last, and all behind it, to a later drain. */
void wp_perf_ring_unread(struct wp_perf_ring *ring, size_t size);
/* Gives the room of everything that was read back to the kernel. */
void wp_perf_ring_end(struct wp_perf_ring *ring);

/*
 * For a second reader, in a thread of its own, that looks at records without taking them: neither
 * waits for the other. Positions count bytes since the ring was made.
 */
uint64_t wp_perf_ring_head(const struct wp_perf_ring *ring);
/* Up to where the records have been taken. */
uint64_t wp_perf_ring_taken(const struct wp_perf_ring *ring);
/*
 * Copies n bytes (at most the ring's size) from a position. False when they have been taken
 * meanwhile, so that the kernel may have written over them.
 */
bool wp_perf_ring_glance(const struct wp_perf_ring *ring, uint64_t at, void *ret, size_t n);

#endif
