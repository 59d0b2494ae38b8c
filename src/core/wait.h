/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: what a sample of the event offcpu-time says of the time in which a thread did not run.
 *
 * Core. Such a sample weighs nanoseconds (its period, and `ns` of its payload), has the stack of
 * the place where the thread stopped, and the time at which it ran again.
 */
#ifndef WP_WAIT_H
#define WP_WAIT_H

#include "core/field.h"
#include "core/record.h"

/* What a thread is that a sample of any other event met. */
#define WP_WAIT_RUNNING "running"
/* The field that a wait weighs. */
#define WP_WAIT_WEIGHT "ns"

enum wp_wait_state {
	WP_WAIT_INTERRUPTIBLE,
	WP_WAIT_UNINTERRUPTIBLE, /* of a disk, mostly */
	WP_WAIT_PREEMPTED,	 /* it would have run, but there was no CPU for it */
	WP_WAIT_STOPPED,	 /* by a signal or a debugger */
	WP_WAIT_GIL,		 /* interruptible: of a Python thread, until it has the GIL */
	WP_WAIT_SHORT,		 /* all waits of a thread that are below the threshold, together */
	WP_WAIT_STATES,
	WP_WAIT_NONE = WP_WAIT_STATES, /* the thread has ended: it never runs again */
};

struct wp_wait_payload {
	uint32_t magic; /* WP_WAIT_MAGIC: other programs' samples of that event have others */
	uint32_t waits; /* that it stands for */
	uint64_t ns;
	char state[16];
};

#define WP_WAIT_MAGIC 0x74696177u /* "wait" */

/* The fields of such a payload: waits, ns, state. */
const struct wp_fields *wp_wait_fields(void);
const char *wp_wait_state_name(enum wp_wait_state state);
/* Of prev_state in sched:sched_switch (include/trace/events/sched.h, Linux 4.14 and newer). */
enum wp_wait_state wp_wait_state_of(int64_t prev_state);
/* It stands for a debugger, or for whoever else follows it by ptrace(2). */
bool wp_wait_is_traced(int64_t prev_state);
void wp_wait_fill(enum wp_wait_state state, uint32_t waits, uint64_t ns,
		  struct wp_wait_payload *ret);
/* False where the sample brings none of ours. */
bool wp_wait_read(const struct wp_record_sample *sample, enum wp_wait_state *ret_state,
		  uint32_t *ret_waits);

#endif
