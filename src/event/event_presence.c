/* SPDX-License-Identifier: BSD-3-Clause */
/* event_presence: see event_presence.h. */
#include "event/event_presence.h"

#include "event/pmu_sysfs.h"

#include <linux/perf_event.h>
#include <string.h>

#define COMMON_BASE 0x4000
#define COMMON_N    0x40

/*
 * The common events that drivers/perf/arm_pmuv3.c names since Linux 5.15, a bit each: all of the
 * first range but CHAIN, which it never shows.
 */
static const uint64_t named_low = ~(1ull << 0x1e);
static const uint64_t named_high =
	0x7full | 1ull << 0x09 | 1ull << 0x0a | 1ull << 0x0b | 7ull << 0x20 | 7ull << 0x24;

static bool is_named_by_kernel(uint64_t number)
{
	if (number < COMMON_N)
		return named_low >> number & 1;
	return number >= COMMON_BASE && number < COMMON_BASE + COMMON_N &&
	       named_high >> (number - COMMON_BASE) & 1;
}

static bool is_in_sysfs(const struct wp_machine *machine, const char *pmu, uint64_t number)
{
	wp_vec_each (struct wp_machine_event, event, &machine->events)
		if (event->config == number && strcmp(event->pmu, pmu) == 0)
			return true;
	return false;
}

/* More than half of the common events that the CPU has by its part number are missing. */
static bool is_reduced(const struct wp_catalogue *catalogue, const char *pmu)
{
	const struct wp_cpu *cpu = catalogue->cpu;
	size_t common = 0, missing = 0;

	if (!cpu || !cpu->matches_n)
		return false;
	for (size_t i = 0; i < cpu->events_n; i++) {
		if (!is_named_by_kernel(cpu->events[i].config))
			continue;
		common++;
		missing += !is_in_sysfs(catalogue->machine, pmu, cpu->events[i].config);
	}
	return missing * 2 > common;
}

enum wp_event_presence wp_event_presence(const struct wp_catalogue *catalogue,
					 const struct wp_event *event)
{
	const struct wp_machine *machine = catalogue->machine;
	const struct wp_machine_pmu *core = wp_pmu_core(machine);
	bool of_core = core && event->source == WP_EVENT_HW && event->class == WP_EVENT_CORE &&
		       (event->type == core->type || event->type == PERF_TYPE_RAW);
	uint64_t number = event->config & 0xffff;

	if (!machine->lists_implemented || !of_core || is_in_sysfs(machine, core->name, number))
		return WP_EVENT_PRESENT;
	if (is_named_by_kernel(number))
		return WP_EVENT_ABSENT;
	return is_reduced(catalogue, core->name) ? WP_EVENT_DOUBTFUL : WP_EVENT_PRESENT;
}

void wp_event_warn_absent(const struct wp_catalogue *catalogue, const struct wp_event_set *set)
{
	const struct wp_event *doubtful = NULL;
	const struct wp_machine_pmu *core = wp_pmu_core(catalogue->machine);

	wp_vec_each (const struct wp_event, event, &set->events) {
		if (event->presence == WP_EVENT_ABSENT)
			wp_log(catalogue->log, WP_LOG_WARNING,
			       "event '%s' is not implemented here: %s does not have number 0x%llx",
			       event->name, core->name, (unsigned long long)event->config);
		if (event->presence == WP_EVENT_DOUBTFUL && !doubtful)
			doubtful = event;
	}
	if (doubtful)
		wp_log(catalogue->log, WP_LOG_WARNING,
		       "%s lacks most of what a %s counts (an emulated PMU?): a 0 of '%s' and "
		       "other "
		       "events of this CPU alone is shown as not implemented",
		       core->name, catalogue->cpu->name, doubtful->name);
}
