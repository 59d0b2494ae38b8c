/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_info: what is the same for every period of a run of `stat`: events, whose counts, the
 * machine.
 */
#ifndef WP_STAT_INFO_H
#define WP_STAT_INFO_H

#include "aggregate/counts.h"
#include "core/machine.h"
#include "event/metric_plan.h"

/* Everything is borrowed. */
struct wp_stat_info {
	const struct wp_event_set *events;
	const char *vendor; /* of the CPU */
	const char
		*label;	  /* "process 12 (python3)", "'python3 x.py'", of CPUs "cgroup x" or NULL */
	const char *cpus; /* "cores 0,2", "all cores": when there is no label */
	bool kernel;	  /* kernel mode was counted too */
	size_t cores;	  /* how many CPUs are counted, or that the processes may run on */
	const struct wp_machine *machine;     /* for the names of its parts; may be NULL */
	const struct wp_metric_plan *metrics; /* may be NULL */
	const struct wp_topdown *topdown;     /* of --topdown; else NULL */
};

#endif
