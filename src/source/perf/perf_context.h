/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_context: where the events of a run are opened.
 *
 * Source stage; reads /proc only for the threads of processes. A context (of perf) is a thread on
 * any CPU, a thread on one CPU, a CPU, or a cgroup on one CPU.
 */
#ifndef WP_PERF_CONTEXT_H
#define WP_PERF_CONTEXT_H

#include "base/vec.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/target.h"

struct wp_perf_context {
	pid_t pid, tid;	  /* -1: whatever runs on the CPU */
	int cpu;	  /* -1: wherever the thread runs */
	uint32_t ring;	  /* index in cpus below, when cpu is not -1 */
	size_t cgroup;	  /* index + 1 in the target's cgroups: only what runs there; 0: anything */
	size_t residence; /* index + 1 of the counter that says how long the thread was on the CPU
			   */
};

struct wp_perf_contexts {
	WP_VEC(struct wp_perf_context) v;
	bool of_processes; /* those with a thread are for what can be counted per thread */
	bool sampling;
	bool pairs;	       /* of a cgroup only the events that name it, and those alone */
	bool filters_probes;   /* hits of probes by others are turned away: bpf_probes.h */
	struct wp_cpuset cpus; /* every CPU of v */
	struct wp_cpuset
		asked; /* those that the target names; all online ones when it names none */
};

/*
 * Lists the contexts for these events. When sampling, a thread has one context per CPU, because an
 * inherited event can only have a ring when it is bound to a CPU. Processes that are gone have no
 * contexts. The caller deinits *ret, which is all zero before but for filters_probes.
 */
void wp_perf_contexts_list(struct wp_perf_contexts *ret, const struct wp_event_set *events,
			   const struct wp_target *target, const struct wp_machine *machine,
			   bool sampling);
void wp_perf_contexts_deinit(struct wp_perf_contexts *contexts);
/* True when a process has a thread now that is not among the contexts. */
bool wp_perf_contexts_outdated(const struct wp_perf_contexts *contexts,
			       const struct wp_target *target);
/* True for what beside processes is opened for whole CPUs. */
bool wp_perf_contexts_shares(const struct wp_perf_contexts *contexts, const struct wp_event *event);
/*
 * True when the event is to be opened there. What CPUs share is counted on the CPU that the kernel
 * names for it, and only as a whole: beside processes it has places of its own.
 */
bool wp_perf_contexts_wants(const struct wp_perf_contexts *contexts,
			    const struct wp_machine *machine, const struct wp_event *event,
			    const struct wp_perf_context *context);

#endif
