/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule: how a counting list takes turns on the counters: WindowsPerf's rows with padding, and
 * what the Linux kernel does with the same list.
 *
 * Event stage. WindowsPerf cuts the list into rows of as many events as counters are free and pads
 * rows so that no group straddles two. The kernel pads nothing: in each turn (a timer tick) it puts
 * groups onto the counters in order until one does not fit, and the next turn begins one group
 * later (kernel/events/core.c, perf_rotate_context). Groups stay whole in both.
 */
#ifndef WP_SCHEDULE_H
#define WP_SCHEDULE_H

#include "event/event_parse.h"

struct wp_schedule {
	WP_VEC(const struct wp_event *) slots; /* NULL: padding */
};

/*
 * The list of a class as WindowsPerf would hand it to its driver. counters: how many are free; 0
 * (not known): nothing is padded. Events that need no counter of the CPU stand behind the others.
 * The caller frees slots with wp_vec_deinit().
 */
void wp_schedule_rows(const struct wp_event_set *set, enum wp_event_class class, uint32_t counters,
		      struct wp_schedule *ret);

struct wp_turns {
	uint32_t n; /* turns until all begins anew; 1: everything is counted all the time */
	WP_VEC(double)
	shares; /* of each event of the set: the part of the time it is counted, 0..1 */
};

/*
 * What the kernel does with the core's hardware events on one CPU; everything else counts all the
 * time. Nobody else's events are reckoned with, nor constraints that tie an event to some counters.
 * The caller frees shares with wp_vec_deinit().
 */
void wp_schedule_turns(const struct wp_machine *machine, const struct wp_event_set *set,
		       struct wp_turns *ret);

#endif
