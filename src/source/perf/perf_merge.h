/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_merge: the records of several CPUs in one order of time.
 *
 * Source stage. Rings are drained one after the other, so a record of the last one may be older
 * than those of the first that came in meanwhile. Records are therefore held back until they are
 * older than a horizon, a time before which every CPU is known to have written all it had.
 */
#ifndef WP_PERF_MERGE_H
#define WP_PERF_MERGE_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/record.h"

struct wp_perf_merge_key {
	uint64_t time_ns;
	size_t index;
};

/* All zero is empty. */
struct wp_perf_merge {
	WP_VEC(struct wp_record) records;      /* taken ones first, then held ones */
	WP_VEC(struct wp_record) ordered;      /* what `records` becomes when it must be sorted */
	WP_VEC(struct wp_perf_merge_key) keys; /* of the held ones, in the order they came */
	size_t taken;
	uint64_t last_ns;	  /* of the last one taken */
	uint64_t late;		  /* records that came when a younger one had been taken */
	struct wp_arena borrowed; /* what the records point at: strings and stacks */
};

/* Ends the life of the batch that was taken last. */
void wp_perf_merge_begin(struct wp_perf_merge *merge);
/* Adds a copy, strings and stack included. */
void wp_perf_merge_add(struct wp_perf_merge *merge, const struct wp_record *record);
/* Takes the records that are not younger than the horizon, in order of time; equal times as they
 * were added. */
struct wp_batch wp_perf_merge_take(struct wp_perf_merge *merge, uint64_t horizon_ns);
void wp_perf_merge_deinit(struct wp_perf_merge *merge);

#endif
