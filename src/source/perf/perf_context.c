/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_context: see perf_context.h. */
#include "source/perf/perf_context.h"

#include "base/map.h"
#include "event/event_spe.h"
#include "source/proc/procfs.h"

#include <unistd.h>

/* How often the threads of a process are listed until two lists agree. */
#define TRIES 10

/* Whether it is the event's PMU, or one of them, and counts on some CPUs only. */
static bool is_bound(const struct wp_machine_pmu *pmu, const struct wp_event *event)
{
	if (event->source != WP_EVENT_HW && event->source != WP_EVENT_PMU)
		return false;
	return pmu->cpus.cpus.n &&
	       (pmu->type == event->type || (event->every_spe && wp_pmu_is_spe(pmu)));
}

static bool overlap(const struct wp_cpuset *a, const struct wp_cpuset *b)
{
	wp_vec_each (uint32_t, cpu, &a->cpus) {
		if (wp_cpuset_has(b, *cpu))
			return true;
	}
	return false;
}

/* Whether a PMU counts what happens on some of the CPUs asked for, being read on that CPU. */
static bool serves(const struct wp_machine_pmu *pmu, const struct wp_cpuset *asked, uint32_t cpu)
{
	if (!wp_cpuset_has(&pmu->cpus, cpu))
		return false;
	if (pmu->is_core || wp_pmu_is_spe(pmu))
		return wp_cpuset_has(asked, cpu);
	if (pmu->shared_by.cpus.n)
		return overlap(&pmu->shared_by, asked);
	return wp_cpuset_has(asked, cpu) || !overlap(&pmu->cpus, asked);
}

bool wp_perf_contexts_shares(const struct wp_perf_contexts *contexts, const struct wp_event *event)
{
	return (event->unit && !contexts->sampling) || event->waking_id ||
	       (event->probe && contexts->filters_probes);
}

bool wp_perf_contexts_wants(const struct wp_perf_contexts *contexts,
			    const struct wp_machine *machine, const struct wp_event *event,
			    const struct wp_perf_context *context)
{
	bool bound = false;

	if (event->presence == WP_EVENT_REFUSED ||
	    ((event->cgroup || contexts->pairs) && event->cgroup != context->cgroup) ||
	    (event->waking_id && context->cgroup > 1) || /* once for all cgroups */
	    (event->core && context->cpu >= 0 && event->core - 1 != (uint32_t)context->cpu) ||
	    (contexts->of_processes &&
	     wp_perf_contexts_shares(contexts, event) == (context->tid >= 0)))
		return false;
	if (context->cpu < 0)
		return true;
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus) {
		if (!is_bound(pmu, event))
			continue;
		if (serves(pmu, &contexts->asked, (uint32_t)context->cpu))
			return true;
		bound = true;
	}
	return !bound && wp_cpuset_has(&contexts->asked, (uint32_t)context->cpu);
}

static void add_all(struct wp_cpuset *to, const struct wp_cpuset *from)
{
	wp_vec_each (uint32_t, cpu, &from->cpus)
		wp_cpuset_add(to, *cpu);
}

static void list_asked(struct wp_perf_contexts *ret, const struct wp_target *target,
		       const struct wp_machine *machine)
{
	long online;

	add_all(&ret->asked, target->cpus.cpus.n ? &target->cpus : &machine->online);
	if (ret->asked.cpus.n)
		return;
	online = sysconf(_SC_NPROCESSORS_ONLN);
	for (long cpu = 0; cpu < online; cpu++)
		wp_cpuset_add(&ret->asked, (uint32_t)cpu);
}

/* On the CPUs in places->cpus, or -1 when there are none. */
static void add_places(struct wp_perf_contexts *contexts, struct wp_perf_context context)
{
	context.cpu = -1;
	if (contexts->cpus.cpus.n == 0)
		wp_vec_push(&contexts->v, context);
	for (size_t i = 0; i < contexts->cpus.cpus.n; i++) {
		context.cpu = (int)contexts->cpus.cpus.v[i];
		context.ring = (uint32_t)i;
		wp_vec_push(&contexts->v, context);
	}
}

/* Lists threads until none has come for one whole look. */
static void list_all_threads(pid_t pid, struct wp_procfs_ids *ret)
{
	size_t before = 0;

	for (int i = 0; i < TRIES; i++) {
		ret->ids.n = 0;
		wp_procfs_threads(pid, ret);
		if (ret->ids.n == before)
			return;
		before = ret->ids.n;
	}
}

static void list_processes(struct wp_perf_contexts *ret, const struct wp_target *target)
{
	struct wp_procfs_ids threads = {0};

	wp_vec_each (pid_t, pid, &target->pids) {
		list_all_threads(*pid, &threads);
		wp_vec_each (pid_t, tid, &threads.ids)
			add_places(ret, (struct wp_perf_context){.pid = *pid, .tid = *tid});
	}
	wp_vec_deinit(&threads.ids);
}

static void add_bound(const struct wp_machine_pmu *pmu, const struct wp_event *event,
		      const struct wp_perf_contexts *contexts, struct wp_cpuset *ret)
{
	if (!is_bound(pmu, event))
		return;
	wp_vec_each (uint32_t, cpu, &pmu->cpus.cpus)
		if (serves(pmu, &contexts->asked, *cpu))
			wp_cpuset_add(ret, *cpu);
}

/* The CPUs on which PMUs that count on some CPUs only are read. */
static void list_bound(const struct wp_event_set *events, const struct wp_machine *machine,
		       const struct wp_perf_contexts *contexts, struct wp_cpuset *ret)
{
	wp_vec_each (struct wp_event, event, &events->events)
		wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
			add_bound(pmu, event, contexts, ret);
}

/* The CPU's index among those that have rings; when nothing is sampled there are none. */
static uint32_t ring_of_cpu(const struct wp_perf_contexts *contexts, uint32_t cpu)
{
	for (uint32_t i = 0; i < contexts->cpus.cpus.n; i++)
		if (contexts->cpus.cpus.v[i] == cpu)
			return i;
	return 0;
}

/* Beside processes: whole CPUs, for what is counted there only. */
static void add_shared_contexts(struct wp_perf_contexts *ret, const struct wp_event_set *events,
				const struct wp_machine *machine)
{
	struct wp_event_set shared = {0};
	struct wp_cpuset cpus = {0};

	wp_vec_each (struct wp_event, event, &events->events) {
		if (!wp_perf_contexts_shares(ret, event))
			continue;
		wp_vec_push(&shared.events, *event);
		if (event->probe || event->waking_id)
			add_all(&cpus, &ret->asked);
	}
	list_bound(&shared, machine, ret, &cpus);
	wp_vec_each (uint32_t, cpu, &cpus.cpus)
		wp_vec_push(&ret->v, (struct wp_perf_context){
					     .pid = -1,
					     .tid = -1,
					     .cpu = (int)*cpu,
					     .ring = ring_of_cpu(ret, *cpu),
				     });
	wp_cpuset_deinit(&cpus);
	wp_vec_deinit(&shared.events);
}

void wp_perf_contexts_list(struct wp_perf_contexts *ret, const struct wp_event_set *events,
			   const struct wp_target *target, const struct wp_machine *machine,
			   bool sampling)
{
	list_asked(ret, target, machine);
	ret->of_processes = target->kind == WP_TARGET_PROCESSES;
	ret->sampling = sampling;
	ret->pairs = target->pairs;
	if (target->kind == WP_TARGET_PROCESSES) {
		if (sampling || target->cpus.cpus.n)
			add_all(&ret->cpus, &ret->asked);
		list_processes(ret, target);
		if (ret->v.n)
			add_shared_contexts(ret, events, machine);
		return;
	}
	add_all(&ret->cpus, &ret->asked);
	list_bound(events, machine, ret, &ret->cpus);
	if (!target->cgroups.n || target->pairs)
		add_places(ret, (struct wp_perf_context){.pid = -1, .tid = -1});
	for (size_t i = 0; i < target->cgroups.n; i++)
		add_places(ret, (struct wp_perf_context){.pid = -1, .tid = -1, .cgroup = i + 1});
}

bool wp_perf_contexts_outdated(const struct wp_perf_contexts *contexts,
			       const struct wp_target *target)
{
	struct wp_procfs_ids threads = {0};
	struct wp_map known = {0};
	bool outdated = false;

	if (target->kind != WP_TARGET_PROCESSES)
		return false;
	wp_vec_each (struct wp_perf_context, context, &contexts->v)
		wp_map_put(&known, (uint64_t)context->tid);
	wp_vec_each (pid_t, pid, &target->pids)
		wp_procfs_threads(*pid, &threads);
	wp_vec_each (pid_t, tid, &threads.ids)
		outdated |= !wp_map_get(&known, (uint64_t)*tid);
	wp_vec_deinit(&threads.ids);
	wp_map_deinit(&known);
	return outdated;
}

void wp_perf_contexts_deinit(struct wp_perf_contexts *contexts)
{
	wp_vec_deinit(&contexts->v);
	wp_cpuset_deinit(&contexts->cpus);
	wp_cpuset_deinit(&contexts->asked);
}
