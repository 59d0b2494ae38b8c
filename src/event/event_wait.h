/* SPDX-License-Identifier: BSD-3-Clause */
/* event_wait: `off-cpu[/min_us=N/]`, the times in which threads do not run (core/wait.h). */
#ifndef WP_EVENT_WAIT_H
#define WP_EVENT_WAIT_H

#include "base/err.h"
#include "core/event.h"
#include "core/machine.h"

/* True for off-cpu and offcpu-time, with whatever behind a slash. */
bool wp_event_is_wait(const char *word);
/* True when this machine's waits can be found. */
bool wp_event_wait_is_there(const struct wp_machine *machine);
/* Sets all of ret but what a lookup does not set. Errors: no such tracepoint can be looked up. */
struct wp_err *wp_event_wait(const struct wp_machine *machine, const char *word,
			     struct wp_event *ret) WP_MUST_CHECK;
/* Refuses what waits cannot be: two of them, with an interval, in a group. */
struct wp_err *wp_event_wait_check(const struct wp_event_set *set) WP_MUST_CHECK;

/*
 * Adds the event that tells who ends waits (core/waker.h), unless the set has it. Errors: no such
 * tracepoint can be looked up.
 */
struct wp_err *wp_event_wakers_add(const struct wp_machine *machine,
				   struct wp_event_set *set) WP_MUST_CHECK;

#endif
