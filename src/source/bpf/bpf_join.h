/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_join: gives each sample the walk that was made for it.
 *
 * Source stage. The program writes its walk while the sample is being made, so the walk comes first
 * and only those of interrupts that came in between lie between the two. Linux 6.3 and newer say in
 * the walk which sample (event id and time) it is for; before, walks lie in the ring of the
 * samples, the thread must be the same and the walk the last one. A walk whose sample was lost is
 * dropped, and a sample whose walk was lost has none. A walk with many Python frames comes in
 * pieces, one behind the other; what is there of it when its sample comes is given, and marked as
 * cut when that is not all.
 */
#ifndef WP_BPF_JOIN_H
#define WP_BPF_JOIN_H

#include "base/map.h"
#include "base/vec.h"
#include "core/record.h"
#include "format/perf/bpf_walk.h"

/* Walks that wait at once: interrupts nest two or three deep. */
#define WP_BPF_JOIN_WAITING 4

struct wp_bpf_waiting {
	bool used;
	uint64_t order; /* the larger the younger */
	struct wp_bpf_walk walk;
	uint8_t *bytes; /* its own copy of the record */
	size_t cap;
	uint32_t pieces; /* that came; all of them when `more` is not set */
	bool more;
	WP_VEC(struct wp_python_slot) slots; /* of all pieces, when there are several */
};

struct wp_bpf_join_ring {
	struct wp_bpf_waiting waiting[WP_BPF_JOIN_WAITING];
};

/* All zero is empty; one for all rings of a run. */
struct wp_bpf_join {
	const struct wp_map *event_of_id; /* kernel id -> index in the event set */
	WP_VEC(struct wp_bpf_join_ring) rings;
	uint64_t order;
	struct wp_bpf_waiting whole; /* of the sample that came last in one with its walk */
	struct wp_stack_raw raw;     /* of the sample joined last */
	uint64_t joined, without, unused, malformed;
	uint64_t cut; /* of the joined ones: walks of which pieces were lost */
};

/* Takes the record of a walk or a piece of one that was found in a ring; the bytes are copied. */
void wp_bpf_join_walk(struct wp_bpf_join *join, size_t ring, const void *bytes, size_t size);
/*
 * Adds the walk to a SAMPLE record of the same ring: sample.stack is then the join's own and valid
 * until its next call.
 */
void wp_bpf_join_sample(struct wp_bpf_join *join, size_t ring, struct wp_record *sample);
/*
 * Joins a sample with the walk that is in its very record; it has none when that is malformed. Who
 * waits for whom is not changed.
 */
void wp_bpf_join_whole(struct wp_bpf_join *join, const void *bytes, size_t size,
		       struct wp_record *sample);
void wp_bpf_join_deinit(struct wp_bpf_join *join);

#endif
