/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_queue: see pinned_queue.h. A message is its length (8 bytes), its bytes, and padding to a
 * multiple of 8. */
#include "source/pinned/pinned_queue.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH_BYTES 8

static uint64_t padded_item_size(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

void wp_pinned_queue_init(struct wp_pinned_queue *queue, uint64_t size)
{
	*queue = (struct wp_pinned_queue){.bytes = wp_calloc(1, size), .size = size};
}

void wp_pinned_queue_deinit(struct wp_pinned_queue *queue)
{
	free(queue->bytes);
	*queue = (struct wp_pinned_queue){0};
}

static uint64_t write_queue_at(struct wp_pinned_queue *queue, uint64_t at, const void *from,
			       size_t n)
{
	size_t begin = (size_t)(at & (queue->size - 1));
	size_t before_end = (size_t)queue->size - begin, first = n < before_end ? n : before_end;

	if (n == 0)
		return at;
	memcpy(queue->bytes + begin, from, first);
	memcpy(queue->bytes, (const uint8_t *)from + first, n - first);
	return at + n;
}

static void read_queue_at(const struct wp_pinned_queue *queue, uint64_t at, void *ret, size_t n)
{
	size_t begin = (size_t)(at & (queue->size - 1));
	size_t before_end = (size_t)queue->size - begin, first = n < before_end ? n : before_end;

	memcpy(ret, queue->bytes + begin, first);
	memcpy((uint8_t *)ret + first, queue->bytes, n - first);
}

bool wp_pinned_queue_push(struct wp_pinned_queue *queue, const struct wp_pinned_part *parts,
			  size_t n)
{
	uint64_t tail = __atomic_load_n(&queue->tail, __ATOMIC_ACQUIRE), length = 0, at;

	for (size_t i = 0; i < n; i++)
		length += parts[i].n;
	if (length == 0 || length > queue->size ||
	    LENGTH_BYTES + padded_item_size(length) > queue->size - (queue->head - tail))
		return false;
	at = write_queue_at(queue, queue->head, &length, LENGTH_BYTES);
	for (size_t i = 0; i < n; i++)
		at = write_queue_at(queue, at, parts[i].bytes, parts[i].n);
	__atomic_store_n(&queue->head, padded_item_size(at), __ATOMIC_RELEASE);
	return true;
}

uint64_t wp_pinned_queue_used(const struct wp_pinned_queue *queue)
{
	return queue->head - __atomic_load_n(&queue->tail, __ATOMIC_ACQUIRE);
}

size_t wp_pinned_queue_next(const struct wp_pinned_queue *queue)
{
	uint64_t length;

	if (__atomic_load_n(&queue->head, __ATOMIC_ACQUIRE) == queue->tail)
		return 0;
	read_queue_at(queue, queue->tail, &length, LENGTH_BYTES);
	return (size_t)length;
}

void wp_pinned_queue_take(struct wp_pinned_queue *queue, void *ret)
{
	size_t n = wp_pinned_queue_next(queue);

	if (n == 0)
		return;
	read_queue_at(queue, queue->tail + LENGTH_BYTES, ret, n);
	/* All of it is out before the writer may write there. */
	__atomic_store_n(&queue->tail, padded_item_size(queue->tail + LENGTH_BYTES + n),
			 __ATOMIC_RELEASE);
}
