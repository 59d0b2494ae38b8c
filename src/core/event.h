/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event: one thing to be counted or sampled, and the ordered set of them that a run works on.
 *
 * The event stage makes them from the words of the command line; the source opens them without
 * knowing any name; the aggregate stage prints them back. Fields named as in perf_event_open(2)
 * mean what they mean there.
 */
#ifndef WP_EVENT_H
#define WP_EVENT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "core/field.h"
#include "core/probe.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_EVENT_NO_GROUP (-1)

/* Which unit counts it, in WindowsPerf's words; on the command line and in `list` as a /prefix/. */
enum wp_event_class {
	WP_EVENT_CORE, /* a CPU's own PMU, and everything the kernel counts per CPU */
	WP_EVENT_DSU,
	WP_EVENT_DMC_CLK,
	WP_EVENT_DMC_CLKDIV2,
	WP_EVENT_UNCORE, /* any other PMU that is shared by CPUs; it has no prefix */
	WP_EVENT_CLASSES
};

/* Where the number comes from; decides what an error means and what a period means. */
enum wp_event_source {
	WP_EVENT_HW,	     /* a CPU's PMU: generic, cache, raw or from its sysfs folder */
	WP_EVENT_SW,	     /* kernel software events */
	WP_EVENT_TRACEPOINT, /* tracefs */
	WP_EVENT_BREAKPOINT, /* debug registers */
	WP_EVENT_PMU,	     /* any other PMU of sysfs */
	WP_EVENT_PROBE,	     /* the uprobe and kprobe PMUs */
};

/* Whether there is something that counts it, as far as the machine says. */
enum wp_event_presence {
	WP_EVENT_PRESENT,
	WP_EVENT_ABSENT,   /* it opens, but nothing implements it: its 0 means nothing */
	WP_EVENT_DOUBTFUL, /* it opens, and a 0 may mean that nothing implements it */
	WP_EVENT_REFUSED,  /* it cannot be opened here and is not: of a default set only */
};

struct wp_event {
	const char *name; /* as shown, in the set's arena */
	enum wp_event_class class;
	enum wp_event_source source;

	uint32_t type;
	uint64_t config, config1, config2, config3, config4;
	uint32_t bp_type;
	uint64_t bp_addr, bp_len;

	/* From :u and :k; the run's -k applies where neither is given. */
	bool user_only, kernel_only;
	/*
	 * The event happens inside the kernel on behalf of the program (a context switch, a
	 * tracepoint): it is opened without exclude_kernel, which would silently make it 0.
	 */
	bool in_kernel;
	/* Counts nanoseconds (cpu-clock, task-clock): its period is a time. */
	bool is_clock;
	/*
	 * A wait (core/wait.h): its samples are taken at this tracepoint (sched:sched_switch), and
	 * it counts for itself unless it is shorter than min_ns. 0: it is none, or a recording's.
	 */
	uint64_t switch_id, min_ns;
	/* Who ends waits (core/waker.h): its samples are written by a program at this tracepoint
	 * (sched:sched_waking), on every CPU. 0: it is none, or a recording's. */
	uint64_t waking_id;
	/* Not opened: a clock's samples and the waits together (session/report/wall.h). */
	bool is_wall;
	/* The cycle counter that WindowsPerf shows first ("cycle", idx "fixed"). */
	bool is_fixed;
	/* Arm SPE: its samples are packets in a buffer of their own; its period is operations. */
	bool is_spe;
	/* Of every SPE PMU (clusters have one each); `type` is the first one's. */
	bool every_spe;

	enum wp_event_presence presence;

	/*
	 * Outside the cores there may be several like units (clusters, memory channels), and each
	 * counts its own: one event for each, the second and later ones being copies of the first.
	 */
	const char *unit; /* the name of the PMU; NULL: a CPU's */
	int unit_index;	  /* its number among its like, from 0 */
	bool is_copy;
	double scale;	     /* what a count stands for, in `measure`; 0: itself */
	const char *measure; /* "Joules", "MiB"; NULL: a number */

	struct wp_probe *probe; /* of WP_EVENT_PROBE, in the set's arena; else NULL */
	const char *filter; /* of a tracepoint: which of its hits count, in the kernel's words; or
			       NULL */
	const struct wp_fields *fields; /* of the payload of its samples; NULL: it has none */
	const char *weight; /* the field that says how much a sample counts for; NULL: its period */
	/* The only CPU that it is counted on, from 1 (core_0/a,b/ says CPU 0); 0: all of the run.
	 */
	uint32_t core;
	/* Where each cgroup is counted for itself: which of the target's, from 1, and as it was
	 * named; 0 and NULL: whatever the target is. */
	uint32_t cgroup;
	const char *cgroup_name;
	int group;	    /* number of its {group}, or WP_EVENT_NO_GROUP */
	const char *metric; /* the metric it was asked for by, or NULL; in the set's arena */

	/* Sampling only: a sample every `period` events, or (freq_hz not 0) about freq_hz samples a
	 * second. */
	uint64_t period, freq_hz;
	/* Of a group that is sampled, all but the first: samples of that one bring its count. */
	bool is_member;
};

struct wp_event_set {
	struct wp_arena arena;
	WP_VEC(struct wp_event) events;
	int groups;	   /* how many groups are in it; they are numbered from 0 */
	WP_VEC(int) files; /* in which probes are, open until the set's end */
};

/* All events again for each name of a comma list: first those of the first one. */
void wp_event_set_each_cgroup(struct wp_event_set *set, const char *names);
/*
 * The names of a comma list to the events by their position: an empty one, and events behind the
 * last one, are of whatever runs; a list of one name is of all. More names
 * than events are refused, and several of one group.
 */
struct wp_err *wp_event_set_pair_cgroups(struct wp_event_set *set, const char *names) WP_MUST_CHECK;
/* As perf calls the times in which threads do not run (core/wait.h). */
#define WP_EVENT_OFF_CPU "offcpu-time"
/* Who ended waits (core/waker.h). */
#define WP_EVENT_WAKERS "wakers"
/* A clock and the waits, shown as one event. */
#define WP_EVENT_WALL "wall"
/* True of that event, of our runs and of recordings, also of perf's. */
bool wp_event_is_off_cpu(const struct wp_event *event);
/* True of that event, of our runs and of recordings. */
bool wp_event_is_wakers(const struct wp_event *event);
/* True of perf's dummy:u, which tells what is mapped beside an event that cannot and has no
 * samples. */
bool wp_event_is_dummy(const struct wp_event *event);
/* True when one of the set is off-cpu. */
bool wp_event_set_has_off_cpu(const struct wp_event_set *set);
/* The index, from 1, of the set's event that tells who ends waits; 0: there is none. */
uint32_t wp_event_set_wakers(const struct wp_event_set *set);
/* True when one of the set is of Arm SPE. */
bool wp_event_set_has_spe(const struct wp_event_set *set);
/* Its weights are nanoseconds of a thread: of running, of waiting, or of both. */
bool wp_event_is_time(const struct wp_event *event);
/* What the sum of an event's weights is in: "bytes", "nanoseconds"; NULL: it is not known. */
const char *wp_event_weight_unit(const struct wp_event *event);
/* True of a probe whose arguments are asked for and were found. */
bool wp_event_has_args(const struct wp_event *event);
/* The tracepoint that it is opened as; 0: none. */
uint64_t wp_event_tracepoint(const struct wp_event *event);
/* The number that descriptions of fields know it by (struct wp_trace_description's); 0: none. */
uint64_t wp_event_format_id(const struct wp_event *event);
/* The name of a class in tables and file names: "core", "dsu", "dmc_clk", "dmc_clkdiv2". */
const char *wp_event_class_name(enum wp_event_class class);
/* True when an event of the set is of that class. */
bool wp_event_set_has_class(const struct wp_event_set *events, enum wp_event_class class);
void wp_event_set_deinit(struct wp_event_set *set);

#endif
