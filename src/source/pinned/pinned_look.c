/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_look: see pinned_look.h. */
#include "source/pinned/pinned_look.h"

#include <string.h>

/* Of most records everything is in the first bytes; of samples the registers are not. */
#define FIRST_BYTES 96

/* Sees the first n bytes (or what there is) of a record; false when they are no longer its. */
static bool see(const struct wp_perf_ring *ring, const struct wp_perf_layout *layout, uint64_t at,
		uint64_t n, struct wp_perf_peek *ret)
{
	uint8_t bytes[WP_PERF_PEEK_BYTES];

	if (n > sizeof(bytes))
		n = sizeof(bytes);
	return wp_perf_ring_glance(ring, at, bytes, (size_t)n) &&
	       wp_perf_peek(layout, bytes, (size_t)n, ret);
}

/*
 * The record at a position, which moves behind it. False when there is none, or none that can be
 * relied on; the position is then where to go on.
 */
static bool next_ring_record(const struct wp_perf_ring *ring, const struct wp_perf_layout *layout,
			     uint64_t head, uint64_t *at, struct wp_perf_peek *ret)
{
	uint64_t left = head - *at;
	bool good;

	if (left == 0)
		return false;
	good = see(ring, layout, *at, left < FIRST_BYTES ? left : FIRST_BYTES, ret);
	if (good && ret->kind == WP_PERF_PEEK_SAMPLE && ret->size > FIRST_BYTES &&
	    ret->size <= left)
		good = see(ring, layout, *at, ret->size, ret);
	if (good && ret->size <= left) {
		*at += ret->size;
		return true;
	}
	/* Taken meanwhile; or damaged, which the main thread finds too. */
	left = wp_perf_ring_taken(ring);
	*at = left > *at && left <= head ? left : head;
	return false;
}

static void see_sample(struct wp_pinned_look *look, const struct wp_perf_peek *peek)
{
	if (look->n == WP_PINNED_SIGHTINGS) {
		memmove(look->v, look->v + 1, (look->n - 1) * sizeof(look->v[0]));
		look->n--;
		look->dropped++;
	}
	look->v[look->n++] = (struct wp_pinned_sighting){
		.pid = peek->pid,
		.tid = peek->tid,
		.time_ns = peek->time_ns,
		.user = peek->user,
	};
}

static void see_out(struct wp_pinned_look *look, const struct wp_perf_peek *peek)
{
	for (size_t i = 0; i < look->n; i++)
		if (look->v[i].tid == peek->tid && !look->v[i].out_ns)
			look->v[i].out_ns = peek->time_ns;
}

void wp_pinned_look(struct wp_pinned_look *look, const struct wp_perf_ring *ring,
		    const struct wp_perf_layout *layout)
{
	uint64_t head = wp_perf_ring_head(ring), taken = wp_perf_ring_taken(ring), at;
	struct wp_perf_peek peek;

	look->n = 0;
	if (look->at < taken) {
		look->at = taken;
		look->overtaken++;
	}
	/* A head that cannot be: the main thread gives such a ring up. */
	if (head < look->at || head - look->at > ring->size) {
		look->at = head;
		return;
	}
	for (at = look->at; at != head;) {
		if (!next_ring_record(ring, layout, head, &at, &peek))
			look->overtaken++;
		else if (peek.kind == WP_PERF_PEEK_SAMPLE)
			see_sample(look, &peek);
		else if (peek.kind == WP_PERF_PEEK_OUT)
			see_out(look, &peek);
	}
	look->at = at;
}

uint32_t wp_pinned_look_parent(const struct wp_perf_ring *ring, const struct wp_perf_layout *layout,
			       uint32_t pid)
{
	uint64_t at = wp_perf_ring_taken(ring), head = wp_perf_ring_head(ring);
	struct wp_perf_peek peek;
	uint32_t parent = 0;

	if (head < at || head - at > ring->size)
		return 0;
	while (next_ring_record(ring, layout, head, &at, &peek)) {
		if (peek.pid != pid)
			continue;
		if (peek.kind == WP_PERF_PEEK_FORK && peek.parent_pid != pid)
			parent = peek.parent_pid;
		else if (peek.kind == WP_PERF_PEEK_EXEC)
			parent = 0;
	}
	return parent;
}
