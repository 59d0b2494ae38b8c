/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wall: what threads compute and what they wait, shown as one event whose unit is nanoseconds.
 *
 * Session stage. In: events among which are a clock and offcpu-time, and their samples. Out: the
 * same events with one, "wall", instead of these two. A sample of the clock stands for its period,
 * a wait for its duration: together the time that a thread was there. Nothing else changes, so that
 * recordings have both events, and other programs read them.
 */
#ifndef WP_WALL_H
#define WP_WALL_H

#include "base/err.h"
#include "core/event.h"
#include "core/record.h"

/* What --wall samples when nothing else is said. */
#define WP_WALL_EVENTS "cpu-clock,off-cpu"

/* All-zero: nobody asks for it. */
struct wp_wall {
	bool on;
	uint32_t clock;		   /* of the opened events, from 1 */
	struct wp_event_set shown; /* strings and fields are those of the opened events */
	WP_VEC(uint32_t) shown_as; /* opened event -> index in shown */
};

/* Refuses events without a clock or offcpu-time. A clock of ours counts in the kernel, too. */
struct wp_err *wp_wall_begin(struct wp_wall *wall, struct wp_event_set *opened) WP_MUST_CHECK;
/* Shows the events as they are now: again when more is known of them. Off: does nothing. */
void wp_wall_show(struct wp_wall *wall, const struct wp_event_set *opened);
/* The sample becomes one of shown. It must be on. */
void wp_wall_take(const struct wp_wall *wall, struct wp_record *sample);
void wp_wall_deinit(struct wp_wall *wall);

#endif
