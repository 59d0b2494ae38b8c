/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_emit: how records leave the program.
 *
 * Part of walk.bpf.c. A walk whose sample the kernel names goes into the CPU's ring of walks, as
 * the sample itself where that says it all. Everything else goes into perf's ring, where the order
 * tells what belongs together: it takes perf_event_output() most of a microsecond to write a record
 * there.
 */
#ifndef WP_BPF_WALK_EMIT_H
#define WP_BPF_WALK_EMIT_H

#include "bpf/walk_state.h"

#define PERF_RECORD_SAMPLE_    9
#define PERF_RECORD_MISC_USER_ 2

/* Per CPU, the event that writes into its ring. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* Outputs whose reader is woken at once: it is to tell of a mapping. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} urgent_outputs SEC(".maps");

/* By CPU; none where the kernel does not name samples. */
struct walk_ring_of_cpu {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, WP_WALK_RING_MAP_BYTES(WP_WALK_RING_MIN)); /* the loader says */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1); /* the loader makes it the number of CPUs */
	__type(key, __u32);
	__array(values, struct walk_ring_of_cpu);
} walk_rings SEC(".maps");

/* A walk that lacked a mapping wakes the loader, but not too often: it may never come. */
static __always_inline int is_urgent(struct walk *w)
{
	__u64 now;

	if (w->end != WP_WALK_NO_MODULE)
		return 0;
	now = bpf_ktime_get_ns();
	if (now - w->urgent_ns < URGENT_NS)
		return 0;
	w->urgent_ns = now;
	return 1;
}

static __always_inline void wake(void *ctx)
{
	__u32 kind = WP_WALK_WAKE;

	bpf_perf_event_output(ctx, &urgent_outputs, BPF_F_CURRENT_CPU, &kind, sizeof(kind));
}

/* Once for each time that the reader has been there. */
static __always_inline int is_filling(struct walk *w, __u64 used, __u64 tail)
{
	if (used < config.ring_bytes / 2 || w->woken_tail == tail)
		return 0;
	w->woken_tail = tail;
	return 1;
}

/* The record, of so many bytes, with what a perf sample has before its raw data. */
static __always_inline long put_in_ring(struct walk *w, struct wp_walk_ring *ring, void *ctx,
					__u64 bytes, int urgent)
{
	__u64 size = sizeof(w->sample) + bytes + 4, head, tail, at; /* a multiple of 8 */

	at = head = ring->head;
	tail = *(volatile __u64 *)&ring->tail;
	MASK(size, 0xffff);
	if (head + size - tail > config.ring_bytes)
		return -1;
	w->sample.size = size;
	w->sample.raw_bytes = bytes + 4;
	at &= config.ring_bytes - 1;
	if (bpf_probe_read_kernel(ring->data + at, size, &w->sample))
		return -1;
	/* What is asked for its result is a barrier, too: whoever sees the head sees the record. */
	head = __sync_fetch_and_add(&ring->head, size);
	w->whole = w->sample.identifier;
	if (urgent || is_filling(w, head + size - tail, tail))
		wake(ctx);
	return 0;
}

/*
 * Writes what is in the record; then it is empty. Not 0 when the ring is full. Kernels that need
 * WP_BOUNDED do not name samples, so those programs know of one ring only.
 */
static __always_inline long emit_walk(struct walk *w, void *ctx, int more)
{
	struct wp_walk_head *head = &w->record.head;
	__u64 bytes = sizeof(*head) + w->at;
	int urgent = !more && is_urgent(w);
	__u32 cpu = bpf_get_smp_processor_id();
	struct wp_walk_ring *ring = NULL;
	long status;

	head->n = w->n;
	head->end = w->end;
	head->slots = w->slots;
	head->more = more;
	MASK(bytes, 0xffff);
	if (bytes > sizeof(w->record))
		return -1;
	if (!WP_BOUNDED && config.ring_bytes && head->time)
		ring = chunk_of(&walk_rings, cpu);
	if (!WP_BOUNDED && more) /* a piece may be lost, the sample may not */
		w->sample.identifier = 0;
	if (ring)
		status = put_in_ring(w, ring, ctx, bytes, urgent);
	else if (urgent)
		status = bpf_perf_event_output(ctx, &urgent_outputs, BPF_F_CURRENT_CPU, &w->record,
					       bytes);
	else
		status = bpf_perf_event_output(ctx, &outputs, BPF_F_CURRENT_CPU, &w->record, bytes);
	head->kind = WP_WALK_MORE;
	head->piece++;
	head->dump_bytes = 0;
	w->n = w->at = w->slots = 0;
	return status;
}

#endif
