/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts: COUNT records of one counting period as a grid of CPUs by events.
 *
 * Aggregate stage. Counts that belong to a process rather than to a CPU have the one row
 * WP_ANY_CPU; those that are taken thread by thread have a row for each thread. An event that the
 * kernel never let run has no count at all, which is not the same as 0; one that shared a counter
 * (multiplexing) has run for a part of the time only.
 */
#ifndef WP_COUNTS_H
#define WP_COUNTS_H

#include "base/vec.h"
#include "core/event.h"
#include "core/record.h"
#include "core/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_count {
	uint64_t value, enabled_ns, running_ns;
	bool present; /* a record was there: the event was open on this CPU */
};

struct wp_counts {
	size_t n_events;
	bool of_threads;	       /* set by who inits it: `cpus` are threads */
	WP_VEC(uint32_t) cpus;	       /* ascending */
	WP_VEC(struct wp_count) cells; /* cpus.n rows of n_events */
	uint64_t elapsed_ns;
};

void wp_counts_init(struct wp_counts *counts, size_t n_events);
void wp_counts_deinit(struct wp_counts *counts);
/* Adds every COUNT record of a batch; those of an event outside the set are dropped. */
void wp_counts_add(struct wp_counts *counts, const struct wp_batch *batch);
/* The cell of a CPU's row (an index in cpus) and an event. */
const struct wp_count *wp_counts_at(const struct wp_counts *counts, size_t row, size_t event);
/* Value, times and presence of an event summed over all rows. */
struct wp_count wp_counts_sum(const struct wp_counts *counts, size_t event);
/* True when the event ran on that CPU, so that it has a value. */
bool wp_count_ran(const struct wp_count *count);
/*
 * WP_CELL_COUNT when the count has a value that means something; else which cell says why not: the
 * event never ran, or nothing implements it (its presence), so that a 0 is not a measured one.
 */
enum wp_cell_kind wp_count_kind(const struct wp_event *event, const struct wp_count *count);
/* What the value would have been had the event run all the time; 0 for one that never ran. */
uint64_t wp_count_scaled(const struct wp_count *count);
/* Sum of the scaled values of an event over all rows. */
uint64_t wp_counts_scaled(const struct wp_counts *counts, size_t event);
/* True when core events were counted in that row: an uncore unit is read on one CPU of many. */
bool wp_counts_has_core(const struct wp_counts *counts, const struct wp_event_set *events,
			size_t row);
/* True when an event of that class ran for less than the time it was enabled. */
bool wp_counts_multiplexed(const struct wp_counts *counts, const struct wp_event_set *events,
			   enum wp_event_class class);

#endif
