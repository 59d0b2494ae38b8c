/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_attr: an event of the set as perf_event_open(2) wants it.
 *
 * Source stage; pure. All events of a sampling run share one sample_type, so that every record in a
 * ring has the same layout, and one clock, CLOCK_MONOTONIC.
 */
#ifndef WP_PERF_ATTR_H
#define WP_PERF_ATTR_H

#include "core/event.h"
#include "core/target.h"
#include "format/perf/perf_record.h"
#include "core/source.h"

#include <linux/perf_event.h>

#define WP_PERF_SAMPLE_TYPE                                                   \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | \
	 WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD)
#define WP_PERF_SAMPLE_BYTES (8 + 6 * 8) /* of one sample in a ring, without a stack */

#define WP_PERF_ATTR_WORDS 18

/* How the events of a run are opened, whatever they are. */
struct wp_perf_mode {
	bool sampling;
	bool inherit;	      /* threads and children born later are counted too */
	bool enable_on_exec;  /* of a child held before its exec */
	bool kernel;	      /* -k */
	bool has_lost;	      /* the kernel has PERF_FORMAT_LOST */
	bool groups;	      /* samples bring the counts of their group */
	bool pinned;	      /* each sample wakes; switches of threads are recorded */
	bool waits;	      /* switches of threads are recorded */
	bool traced;	      /* an event is of Arm SPE */
	bool traced_wide;     /* and whoever runs on a CPU is traced: switches are recorded */
	bool payloads;	      /* samples bring what their event's fields are of */
	bool entries;	      /* samples say where the program entered the kernel */
	uint32_t carried;     /* enum wp_data_part: what else samples bring */
	uint64_t branch_type; /* which branches, where these are among them */
	bool walked;	      /* a walker's program writes its walks into the rings */
	/*
	 * Samples do not say their period: each event has one of its own. Asked to say it, the
	 * kernel takes every hit of a software event or tracepoint for a sample, whatever the
	 * period (perf_swevent_event() in kernel/events/core.c).
	 */
	bool unsaid_periods;
	enum wp_stacks stacks;
	uint32_t stack_bytes; /* of WP_STACKS_DUMP */
};

/* Newer kernels' words, which the headers that this is built with may not have (Linux 6.3: 136
 * bytes with config3, 6.18: 144 with config4). */
union wp_perf_attr_wide {
	struct perf_event_attr attr;
	uint64_t words[WP_PERF_ATTR_WORDS];
};

/* The read_format of every event of a run with that mode. */
uint64_t wp_perf_attr_read_format(const struct wp_perf_mode *mode);
/* The sample_type of every event of a run with that mode. */
uint64_t wp_perf_attr_sample_type(const struct wp_perf_mode *mode);
/*
 * True when of a sample in user mode the kernel has nothing to write but WP_PERF_SAMPLE_TYPE, and
 * nobody needs to be told of it in perf's ring: chains, then, are of the kernel alone.
 */
bool wp_perf_attr_is_plain(const struct wp_perf_mode *mode);
/* The registers that come with a sample on this machine. */
struct wp_perf_regs wp_perf_attr_regs(void);
/* The registers of sample_regs_intr; 0: none are asked for. */
uint64_t wp_perf_attr_regs_intr(const struct wp_perf_mode *mode);
/* How long a sample of that mode is at most, unless its call chain is unusually deep. */
uint64_t wp_perf_attr_sample_bytes(const struct wp_perf_mode *mode);

/* Disabled; a member of a group is enabled by its leader, so its caller clears that. */
void wp_perf_attr_event(const struct wp_event *event, const struct wp_perf_mode *mode,
			struct perf_event_attr *ret);
/* As above, of an event that may need config3 and config4. */
void wp_perf_attr_wide(const struct wp_event *event, const struct wp_perf_mode *mode,
		       union wp_perf_attr_wide *ret);
/* The event at one of its probe's places. */
void wp_perf_attr_place(const struct wp_probe *probe, const struct wp_probe_place *place,
			struct perf_event_attr *attr);
/*
 * Counts nothing, needs no privilege of its own and, when sampling, brings the records of
 * mappings, names, forks and exits.
 */
void wp_perf_attr_dummy(const struct wp_perf_mode *mode, struct perf_event_attr *ret);
/* perf_event_open(2): a descriptor that exec closes, or -1 and errno. */
int wp_perf_attr_open(const struct perf_event_attr *attr, int pid, int cpu, int group_fd);
/* perf_event_open(2) for whatever runs on the CPU in a cgroup, whose folder is open. */
int wp_perf_attr_open_cgroup(const struct perf_event_attr *attr, int cgroup, int cpu, int group_fd);

#endif
