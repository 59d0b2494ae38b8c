/* SPDX-License-Identifier: BSD-3-Clause */
/* event_default: what stat counts when nothing is named; see event_parse.h. */
#include "base/str.h"
#include "event/event_lookup.h"

#include <linux/perf_event.h>
#include <string.h>

static const char *const in_hardware[] = {"cycles", "instructions", "branches", "branch-misses"};

bool wp_event_may_count_kernel(const struct wp_machine *machine)
{
	const struct wp_machine_limits *limits = &machine->limits;

	return limits->cap_perfmon || limits->cap_sys_admin || limits->perf_event_paranoid <= 1;
}

/* What happens in the kernel only is not opened without the right; the rest of user mode is. */
static struct wp_err *add_default_event(const struct wp_catalogue *catalogue, const char *name,
					struct wp_event_set *ret)
{
	struct wp_event event;

	TRY(wp_event_lookup(catalogue, WP_EVENT_CORE, name, &ret->arena, &event));
	if (!wp_event_may_count_kernel(catalogue->machine)) {
		event.user_only = !event.in_kernel;
		if (event.in_kernel)
			event.presence = WP_EVENT_REFUSED;
		else
			event.name = wp_arena_printf(&ret->arena, "%s:u", event.name);
	}
	wp_vec_push(&ret->events, event);
	return NULL;
}

/* Shown, but not counted. */
static void add_refused(const char *name, struct wp_event_set *ret)
{
	wp_vec_push(&ret->events, (struct wp_event){
					  .name = name,
					  .source = WP_EVENT_HW,
					  .type = PERF_TYPE_HARDWARE,
					  .group = WP_EVENT_NO_GROUP,
					  .presence = WP_EVENT_REFUSED,
				  });
}

struct wp_err *wp_event_default_counting(const struct wp_catalogue *catalogue, bool cpus,
					 struct wp_event_set *ret)
{
	TRY(add_default_event(catalogue, cpus ? "cpu-clock" : "task-clock", ret));
	TRY(add_default_event(catalogue, "context-switches", ret));
	TRY(add_default_event(catalogue, "cpu-migrations", ret));
	TRY(add_default_event(catalogue, "page-faults", ret));
	for (size_t i = 0; i < WP_ARRAY_LEN(in_hardware); i++) {
		if (catalogue->machine->has_hw_pmu)
			TRY(add_default_event(catalogue, in_hardware[i], ret));
		else
			add_refused(in_hardware[i], ret);
	}
	return NULL;
}

/* "cycles, instructions": the refused events of these kinds, or NULL. The caller frees. */
static char *list_refused(const struct wp_event_set *set, bool in_kernel, bool others)
{
	struct wp_str list = {0};

	wp_vec_each (const struct wp_event, event, &set->events) /* of cgroups once */
		if (event->presence == WP_EVENT_REFUSED && event->cgroup <= 1 &&
		    (event->in_kernel ? in_kernel : others))
			wp_str_printf(&list, "%s%s", list.len ? ", " : "", event->name);
	return list.s;
}

void wp_event_note_refused(const struct wp_catalogue *catalogue, const struct wp_event_set *set)
{
	const struct wp_machine *machine = catalogue->machine;
	bool driver = machine->driver.counts; /* then it is not Linux that permits */
	wp_autofree char *kernel = list_refused(set, !driver, false);
	wp_autofree char *other = list_refused(set, driver, true);
	const char *why = driver ? "the wperf driver counts events of the CPU's PMU only"
			  : machine->has_hw_pmu ? "the CPU's PMU does not open them"
			  : machine->hw_pmu_why ? machine->hw_pmu_why
						: "there is no hardware PMU";

	if (kernel)
		wp_log(catalogue->log, WP_LOG_NOTE,
		       "only user mode is counted, and not %s: the kernel needs "
		       "perf_event_paranoid <= 1 (it is %lld) or CAP_PERFMON; as root: sysctl "
		       "kernel.perf_event_paranoid=1",
		       kernel, (long long)machine->limits.perf_event_paranoid);
	if (other)
		wp_log(catalogue->log, WP_LOG_NOTE, "not counted here: %s: %s", other, why);
}
