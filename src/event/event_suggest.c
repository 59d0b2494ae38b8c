/* SPDX-License-Identifier: BSD-3-Clause */
/* event_suggest: the known event name that is nearest to a misspelt one. */
#include "event/event_lookup.h"

#include "base/dir.h"
#include "base/nearest.h"
#include "event/event_names.h"
#include "event/pmu_sysfs.h"

#include <string.h>

static void consider_names(struct wp_nearest *best, const struct wp_event_name *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		wp_nearest_try(best, names[i].name);
		if (names[i].alias)
			wp_nearest_try(best, names[i].alias);
	}
}

static void consider_caches(struct wp_nearest *best)
{
	struct wp_arena arena = {0};
	uint64_t config;

	for (unsigned int i = 0; i < WP_EVENT_CACHES; i++) {
		const char *name = wp_event_cache_name(&arena, i, &config);

		if (name)
			wp_nearest_try(best, name);
	}
	wp_arena_deinit(&arena);
}

/* A misspelt name in the right subsystem. */
static void consider_tracepoints(struct wp_nearest *best, const struct wp_machine *machine)
{
	const char *events = machine->limits.tracefs_events;
	const char *colon = strchr(best->word, ':');
	wp_autodir struct wp_dir dir = {0};

	if (!events || !colon || strchr(best->word, '/') || best->word[0] == '.')
		return;
	wp_autofree char *subsystem = wp_strndup(best->word, (size_t)(colon - best->word));
	wp_autofree char *folder = wp_asprintf("%s/%s", events, subsystem);
	wp_dir_list(folder, &dir);
	wp_vec_each (const char *, name, &dir.names) {
		wp_autofree char *full = wp_asprintf("%s:%s", subsystem, *name);

		wp_nearest_try(best, full);
	}
}

char *wp_cpu_suggest(const struct wp_cpu *cpu, const char *word)
{
	struct wp_nearest best = wp_nearest_to(word);

	for (size_t i = 0; i < cpu->metrics_n; i++)
		wp_nearest_try(&best, cpu->metrics[i].name);
	for (size_t i = 0; i < cpu->events_n; i++)
		wp_nearest_try(&best, cpu->events[i].name);
	for (size_t i = 0; i < cpu->groups_n; i++)
		wp_nearest_try(&best, cpu->groups[i].name);
	return best.name;
}

char *wp_metric_suggest(const struct wp_catalogue *catalogue, const char *word)
{
	const struct wp_cpu *cpu = catalogue->machine->has_hw_pmu ? catalogue->cpu : NULL;
	struct wp_nearest best = wp_nearest_to(word);

	wp_vec_each (struct wp_metric, metric, &catalogue->metrics)
		wp_nearest_try(&best, metric->name);
	for (size_t i = 0; cpu && i < cpu->groups_n; i++)
		wp_nearest_try(&best, cpu->groups[i].name);
	return best.name;
}

char *wp_event_suggest(const struct wp_catalogue *catalogue, const char *word)
{
	const struct wp_machine *machine = catalogue->machine;
	const struct wp_machine_pmu *core = wp_pmu_core(machine);
	struct wp_nearest best = wp_nearest_to(word);

	wp_vec_each (struct wp_extra_event, extra, &catalogue->extra)
		wp_nearest_try(&best, extra->name);
	wp_vec_each (struct wp_machine_event, event, &machine->events)
		if ((core && strcmp(event->pmu, core->name) == 0) ||
		    strcmp(event->pmu, "tracepoint") == 0)
			wp_nearest_try(&best, event->name);
	for (size_t i = 0; catalogue->cpu && i < catalogue->cpu->events_n; i++)
		wp_nearest_try(&best, catalogue->cpu->events[i].name);
	consider_names(&best, wp_event_software, wp_event_software_n);
	consider_names(&best, wp_event_hardware, wp_event_hardware_n);
	if (machine->has_hw_pmu)
		consider_caches(&best);
	consider_tracepoints(&best, machine);
	return best.name;
}
