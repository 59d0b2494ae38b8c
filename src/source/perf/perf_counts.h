/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_counts: what the open events counted since they were started, as COUNT records.
 *
 * Source stage. The kernel's counters run on from run to run; a run's count is the difference to
 * the reading at its start. Values are raw: whoever shows them scales by enabled/running.
 */
#ifndef WP_PERF_COUNTS_H
#define WP_PERF_COUNTS_H

#include "core/record.h"
#include "source/perf/perf_set.h"

/* Takes the readings that the next wp_perf_counts_read() is counted from. */
struct wp_err *wp_perf_counts_begin(struct wp_perf_set *set) WP_MUST_CHECK;
/* Lets the readings that were taken last be what the next counts are from. */
void wp_perf_counts_lap(struct wp_perf_set *set);
/* Reads every counter into its `last`. */
struct wp_err *wp_perf_counts_read(struct wp_perf_set *set) WP_MUST_CHECK;
/*
 * Appends one record per event and CPU, or per event with WP_ANY_CPU when processes are watched
 * (per_thread: per event and thread), from the last readings; time_ns is put into each.
 */
struct wp_perf_count_records {
	WP_VEC(struct wp_record) v;
};
void wp_perf_counts_records(const struct wp_perf_set *set, uint64_t time_ns,
			    struct wp_perf_count_records *ret);
/* Records that found no room in a ring since the beginning; 0 when the kernel does not tell. */
uint64_t wp_perf_counts_lost(const struct wp_perf_set *set);

#endif
