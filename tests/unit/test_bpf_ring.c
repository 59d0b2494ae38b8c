/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring of walks: records in a row, over the end, and what makes no sense. */
#include "source/bpf/bpf_ring.h"

#include "base/mem.h"
#include "format/perf/bpf_walk.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define RING 4096

/* What the program does: a record of so many bytes in all, if there is room. */
static bool put(struct wp_walk_ring *ring, uint16_t size, uint64_t time)
{
	struct wp_walk_sample sample = {
		.type = 9, .size = size, .time = time, .raw_bytes = size - sizeof(sample)};

	if (ring->head + size - ring->tail > RING)
		return false;
	memset(ring->data + ring->head % RING, (uint8_t)time, size);
	memcpy(ring->data + ring->head % RING, &sample, sizeof(sample));
	ring->head += size;
	return true;
}

static struct wp_bpf_ring make(void)
{
	return (struct wp_bpf_ring){
		.shared = wp_calloc(1, WP_WALK_RING_MAP_BYTES(RING)),
		.bytes = RING,
	};
}

/* The times of what is in it, up to one; each is passed. */
static uint64_t drain(struct wp_bpf_ring *ring, uint64_t until)
{
	const uint8_t *bytes;
	uint64_t sum = 0, time;
	size_t size;

	wp_bpf_ring_begin(ring);
	while ((bytes = wp_bpf_ring_peek(ring, &size))) {
		time = wp_bpf_walk_time(bytes, size);
		if (time > until)
			break;
		CHECK_U64(bytes[size - 1], (uint8_t)time);
		sum += time;
		wp_bpf_ring_pass(ring, size);
	}
	wp_bpf_ring_end(ring);
	return sum;
}

static void test_order(void)
{
	struct wp_bpf_ring ring = make();

	CHECK_U64(drain(&ring, 100), 0);
	CHECK(put(ring.shared, 64, 1) && put(ring.shared, 1024, 2) && put(ring.shared, 72, 3));
	CHECK_U64(drain(&ring, 2), 3);
	CHECK_U64(ring.shared->tail, 64 + 1024);
	CHECK_U64(drain(&ring, 100), 3);
	CHECK_U64(drain(&ring, 100), 0);
	free(ring.shared);
}

/* A drain that begins a second time sees what has come meanwhile, and knows where it ended first.
 */
static void test_again(void)
{
	struct wp_bpf_ring ring = make();
	const void *bytes;
	uint64_t end;
	size_t size;

	CHECK(put(ring.shared, 64, 1));
	end = wp_bpf_ring_begin(&ring);
	CHECK_U64(end, 64);
	CHECK(put(ring.shared, 72, 2));
	CHECK_U64(wp_bpf_ring_begin(&ring), 136);
	wp_bpf_ring_pass(&ring, 64);
	CHECK_U64(ring.tail, end);
	bytes = wp_bpf_ring_peek(&ring, &size);
	CHECK(bytes && size == 72);
	wp_bpf_ring_end(&ring);
	CHECK_U64(ring.shared->tail, 64);
	free(ring.shared);
}

/* Records of all sizes: none is ever in two pieces, none is written where one still is. */
static void test_around(void)
{
	struct wp_bpf_ring ring = make();
	uint64_t put_sum = 0, drained = 0, refused = 0;

	for (uint64_t i = 1; i < 5000; i++) {
		uint16_t size = (uint16_t)(64 + i * 8 % 2048);

		if (put(ring.shared, size, i))
			put_sum += i;
		else
			refused++;
		if (i % 3 == 0)
			drained += drain(&ring, 1u << 20);
	}
	drained += drain(&ring, 1u << 20);
	CHECK(refused > 0);
	CHECK_U64(drained, put_sum);
	CHECK_U64(ring.damaged, 0);
	free(ring.shared);
}

static void test_damaged(void)
{
	const uint16_t sizes[] = {0, 8, 56, 61, 68, 72, 0xffff};

	for (size_t i = 0; i < WP_ARRAY_LEN(sizes); i++) {
		struct wp_bpf_ring ring = make();

		CHECK(put(ring.shared, 64, 1));
		((struct wp_walk_sample *)ring.shared->data)->size = sizes[i];
		CHECK_U64(drain(&ring, 100), 0);
		CHECK_U64(ring.damaged, 1);
		CHECK_U64(ring.shared->tail, ring.shared->head);
		/* It goes on behind that. */
		CHECK(put(ring.shared, 64, 5));
		CHECK_U64(drain(&ring, 100), 5);
		ring.shared->head += RING + 8;
		CHECK_U64(drain(&ring, 100), 0);
		CHECK_U64(ring.damaged, 2);
		free(ring.shared);
	}
}

static void test_none(void)
{
	struct wp_bpf_ring ring = {0};

	CHECK_U64(drain(&ring, 100), 0);
	CHECK_U64(wp_bpf_ring_bytes(2), WP_WALK_RING_MAX);
	CHECK_U64(wp_bpf_ring_bytes(128), 2u << 20);
	CHECK_U64(wp_bpf_ring_bytes(8192), WP_WALK_RING_MIN);
}

int main(void)
{
	RUN(test_order);
	RUN(test_again);
	RUN(test_around);
	RUN(test_damaged);
	RUN(test_none);
	return check_done();
}
