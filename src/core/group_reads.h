/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group_reads: one sample that brings the counters of a group ({a,b}:S) becomes one for each member
 * that moved: what it counted since the group was read before.
 *
 * Core. A counter is an event on a thread, CPU or both: an id of the kernel. Where the event is
 * inherited, threads share the id and each has a count of its own.
 */
#ifndef WP_GROUP_READS_H
#define WP_GROUP_READS_H

#include "base/map.h"
#include "core/record.h"

/* All-zero has read nothing. */
struct wp_group_reads {
	struct wp_map last; /* counter -> its value when it was read last */
	uint64_t unknown;   /* readings of counters that are no event's */
};

/*
 * What reading i of a sample adds, to *ret: a copy of the sample whose event is that member and
 * whose period is its difference. False where the member did not move or is not known. Each reading
 * once, in order.
 */
bool wp_group_reads_take(struct wp_group_reads *reads, const struct wp_record *sample, size_t i,
			 struct wp_record *ret);
void wp_group_reads_deinit(struct wp_group_reads *reads);

#endif
