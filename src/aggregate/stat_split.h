/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_split: the counts of one period as rows of `stat`, split by CPU, core, socket, thread ...
 *
 * Aggregate stage. In perf's order: of cores, dies, sockets and nodes one after the other with all
 * events of each; of CPUs and threads event by event, threads by what they counted.
 */
#ifndef WP_STAT_SPLIT_H
#define WP_STAT_SPLIT_H

#include "aggregate/stat_rows.h"
#include "aggregate/thread_names.h"
#include "core/place.h"

/* Everything is borrowed. */
struct wp_stat_split {
	enum wp_split by;
	const struct wp_cpu_place *places; /* of the CPUs, by number */
	size_t n_places;
	const struct wp_thread_names *names; /* may be NULL */
	bool omits_zero; /* threads that counted nothing: the machine has many */
};

/* Appends the rows, which borrow the names of threads. */
void wp_stat_split_rows(struct wp_stat_rows *rows, const struct wp_event_set *events,
			const struct wp_counts *counts, const struct wp_stat_split *split);

#endif
