/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_refusal: why the kernel would not open an event, in one line for a person.
 *
 * Source stage; pure: an errno, the event and the machine's limits in, a sentence out. The kernel
 * gives the same errno for many reasons; the checks follow kernel/events/core.c.
 */
#ifndef WP_PERF_REFUSAL_H
#define WP_PERF_REFUSAL_H

#include "base/err.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/target.h"

struct wp_perf_attempt {
	const struct wp_machine *machine;
	const struct wp_event *event; /* NULL: the event that tracks mappings and forks */
	const char *name;	      /* to blame: the event's, or the first one's of the run */
	int os_errno;
	bool sampling;
	bool physical;	      /* samples were to bring physical addresses */
	bool branches;	      /* samples were to bring branches */
	bool kernel;	      /* it was to count in the kernel too */
	pid_t pid;	      /* the process, or -1: CPU-wide */
	bool foreign;	      /* the process belongs to another user */
	uint32_t cpu;	      /* or WP_ANY_CPU */
	int group_size;	      /* hardware events of its group, 0 outside a group */
	uint64_t descriptors; /* how many this run needs */
};

struct wp_err *wp_perf_refusal(const struct wp_perf_attempt *attempt) WP_MUST_CHECK;
/* The filter of a tracepoint, with the names of the fields it may use. */
struct wp_err *wp_perf_refuse_filter(const struct wp_machine *machine, const struct wp_event *event,
				     int os_errno) WP_MUST_CHECK;

#endif
