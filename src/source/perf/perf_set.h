/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_set: every descriptor of a run, and how they belong together.
 *
 * Source stage. A context is where an event is opened: a thread on any CPU, a thread on one CPU, or
 * a CPU. Each event of the set is opened in every context where its PMU counts; groups are kernel
 * groups, one per context. When sampling there is a ring for each CPU, owned by a dummy event, and
 * every other event of that CPU writes into it.
 */
#ifndef WP_PERF_SET_H
#define WP_PERF_SET_H

#include "base/map.h"
#include "source/perf/perf_attr.h"
#include "source/bpf/bpf_probes.h"
#include "source/perf/perf_context.h"
#include "source/perf/perf_ring.h"

#define WP_PERF_DUMMY UINT32_MAX /* in place of an event's index */

struct wp_perf_counter {
	int fd;
	uint32_t event; /* index in the event set, or WP_PERF_DUMMY */
	uint32_t context;
	const struct wp_probe_place *place; /* of a probe; NULL: it is none */
	size_t leader;			    /* index of its group's leader; its own when alone */
	uint64_t read_format;
	/* What it said when the events were last started, and when it was last read. */
	struct wp_perf_reading base, last;
	bool walked; /* it had the walker's program as soon as it was there */
};

struct wp_perf_set {
	const struct wp_source_options *options; /* borrowed */
	int program;				 /* as in wp_perf_set_open() */
	struct wp_perf_mode mode;
	bool group_reads;    /* the kernel reads inherited groups at once (Linux 4.13) */
	bool inherits_reads; /* and lets samples of inherited events bring them (Linux 6.12) */
	struct wp_perf_contexts contexts;
	struct wp_bpf_probes *probes; /* NULL: there is nobody whose hits of probes do not count */
	WP_VEC(struct wp_perf_counter) counters;
	WP_VEC(struct wp_perf_ring) rings;
	struct wp_map event_of_id;   /* kernel id -> index in the event set */
	struct wp_map counter_of_id; /* kernel id -> index in counters */
	uint64_t descriptors;	     /* how many are wanted */
};

/*
 * Opens everything, disabled; with a failure there is nothing to undo. options stay borrowed until
 * the deinit. program: a descriptor, of what walks stacks at events that are no tracepoints'; -1:
 * nothing does.
 */
struct wp_err *wp_perf_set_open(const struct wp_source_options *options, int program,
				struct wp_perf_set *ret) WP_MUST_CHECK;
void wp_perf_set_deinit(struct wp_perf_set *set);

/* Dummies: what tracks mappings or measures residence. Once they run, they run to the end. */
struct wp_err *wp_perf_set_enable_dummies(struct wp_perf_set *set) WP_MUST_CHECK;
/* Lets the events run, or stops them. A member of a group follows its leader. */
struct wp_err *wp_perf_set_enable(struct wp_perf_set *set) WP_MUST_CHECK;
/* Lets those run that no exec of a child lets run: what belongs to no thread. */
struct wp_err *wp_perf_set_enable_shared(struct wp_perf_set *set) WP_MUST_CHECK;
struct wp_err *wp_perf_set_disable(struct wp_perf_set *set) WP_MUST_CHECK;

#endif
