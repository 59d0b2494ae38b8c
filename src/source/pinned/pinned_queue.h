/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_queue: messages from one reader thread to the main thread, without locks.
 *
 * Source stage. One writer, one reader; a message is bytes of any length, copied in and out. A
 * queue that is full refuses: whoever stands still to be read is never kept waiting.
 */
#ifndef WP_PINNED_QUEUE_H
#define WP_PINNED_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_pinned_queue {
	uint8_t *bytes;
	uint64_t size;	     /* a power of two */
	uint64_t head, tail; /* written by the writer and by the reader; they count bytes */
};

/* A part of a message. */
struct wp_pinned_part {
	const void *bytes;
	size_t n;
};

/* size is a power of two. */
void wp_pinned_queue_init(struct wp_pinned_queue *queue, uint64_t size);
void wp_pinned_queue_deinit(struct wp_pinned_queue *queue);

/* Writer: adds the parts as one message; false when there is no room for all of it. */
bool wp_pinned_queue_push(struct wp_pinned_queue *queue, const struct wp_pinned_part *parts,
			  size_t n);
/* Writer: bytes that wait. */
uint64_t wp_pinned_queue_used(const struct wp_pinned_queue *queue);

/* Reader: the length of the oldest message; 0: there is none. */
size_t wp_pinned_queue_next(const struct wp_pinned_queue *queue);
/* Reader: copies the oldest message out, as many bytes as wp_pinned_queue_next() said. */
void wp_pinned_queue_take(struct wp_pinned_queue *queue, void *ret);

#endif
