/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_ring: see perf_ring.h. */
#include "source/perf/perf_ring.h"

#include "base/mem.h"
#include "format/perf/perf_record.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool wp_perf_ring_map(struct wp_perf_ring *ring, int fd, uint64_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return false;
	ring->control = p;
	ring->data = (const uint8_t *)p + page;
	ring->size = bytes;
	return true;
}

void wp_perf_ring_unmap(struct wp_perf_ring *ring)
{
	if (ring->control)
		munmap(ring->control, (size_t)sysconf(_SC_PAGESIZE) + ring->size);
	ring->control = NULL;
	free(ring->scratch);
	ring->scratch = NULL;
}

/* Passes over everything up to the head. */
static void skip_perf_ring(struct wp_perf_ring *ring)
{
	ring->damaged++;
	ring->tail = ring->head;
}

void wp_perf_ring_begin(struct wp_perf_ring *ring)
{
	/* Pairs with the kernel's barrier between writing a record and moving the head. */
	ring->head = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
	ring->tail = ring->control->data_tail;
	if (ring->head - ring->tail > ring->size)
		skip_perf_ring(ring);
}

/* n bytes at the tail, in one piece. */
static const void *peek_ring_bytes(struct wp_perf_ring *ring, size_t n)
{
	size_t at = (size_t)(ring->tail & (ring->size - 1));
	size_t before_end = (size_t)ring->size - at;

	if (n <= before_end)
		return ring->data + at;
	if (!ring->scratch)
		ring->scratch = wp_calloc(1, WP_PERF_RECORD_MAX + 1);
	memcpy(ring->scratch, ring->data + at, before_end);
	memcpy(ring->scratch + before_end, ring->data, n - before_end);
	return ring->scratch;
}

const void *wp_perf_ring_next(struct wp_perf_ring *ring, size_t *ret_size)
{
	uint64_t left = ring->head - ring->tail;
	struct perf_event_header header;
	const void *record;

	if (left == 0)
		return NULL;
	if (left >= sizeof(header))
		memcpy(&header, peek_ring_bytes(ring, sizeof(header)), sizeof(header));
	if (left < sizeof(header) || header.size < sizeof(header) || header.size > left ||
	    header.size > ring->size) {
		skip_perf_ring(ring);
		return NULL;
	}
	record = peek_ring_bytes(ring, header.size);
	ring->tail += header.size;
	*ret_size = header.size;
	return record;
}

void wp_perf_ring_unread(struct wp_perf_ring *ring, size_t size)
{
	ring->tail -= size;
}

void wp_perf_ring_end(struct wp_perf_ring *ring)
{
	/* Our reads are done before the kernel may write there again. */
	__atomic_store_n(&ring->control->data_tail, ring->tail, __ATOMIC_RELEASE);
}

uint64_t wp_perf_ring_head(const struct wp_perf_ring *ring)
{
	return __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
}

uint64_t wp_perf_ring_taken(const struct wp_perf_ring *ring)
{
	return __atomic_load_n(&ring->control->data_tail, __ATOMIC_ACQUIRE);
}

bool wp_perf_ring_glance(const struct wp_perf_ring *ring, uint64_t at, void *ret, size_t n)
{
	size_t begin = (size_t)(at & (ring->size - 1));
	size_t before_end = (size_t)ring->size - begin, first = n < before_end ? n : before_end;

	memcpy(ret, ring->data + begin, first);
	memcpy((uint8_t *)ret + first, ring->data, n - first);
	/* The copy is made before the tail is looked at: the kernel writes only where it has seen
	 * the tail move past. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&ring->control->data_tail, __ATOMIC_RELAXED) <= at;
}
