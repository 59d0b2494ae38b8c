/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_program: the walker's program on an event as soon as that is open.
 *
 * Source stage. A thread or child that is started meanwhile inherits the event as it is, and perf
 * may give that to who started it when it switches between the two (kernel/events/core.c,
 * perf_event_context_sched_out(): contexts that are clones of each other are swapped). So there is
 * to be no time between both.
 */
#ifndef WP_PERF_PROGRAM_H
#define WP_PERF_PROGRAM_H

#include "core/event.h"

/* False: it has none yet; tracepoints and probes get theirs by the walker. */
bool wp_perf_program_set(int program, const struct wp_event *event, int fd);

#endif
