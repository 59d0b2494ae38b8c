/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of Arm's telemetry data, and JSON as such. */
#include "base/str.h"
#include "event/telemetry.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

static void check_list(const char *list, const struct wp_cpu *cpu)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *word;

	while (*copy && (word = strsep(&rest, ",")))
		check(wp_cpu_metric_find(cpu, word));
}

/* Every name that a table gives out is found again, and nothing in it leads nowhere. */
static void check_cpu(const struct wp_cpu *cpu)
{
	for (size_t i = 0; i < cpu->events_n; i++)
		check(wp_cpu_event_find(cpu, cpu->events[i].name));
	for (size_t i = 0; i < cpu->metrics_n; i++)
		check(wp_cpu_metric_find(cpu, cpu->metrics[i].name) && *cpu->metrics[i].events);
	for (size_t i = 0; i < cpu->groups_n; i++)
		check_list(cpu->groups[i].metrics, cpu);
	for (size_t i = 0; i < cpu->topdown_n; i++)
		check(wp_cpu_metric_find(cpu, cpu->topdown[i].metric));
	check(wp_cpu_is_named(cpu, cpu->name) || !*cpu->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_arena arena = {0};
	struct wp_telemetry_skipped skipped;
	struct wp_cpu cpu;
	char *text = malloc(size + 1); /* not a byte more than is said */

	memcpy(text, data, size);
	wp_autoerr struct wp_err *err = wp_telemetry_parse(&arena, text, size, &cpu, &skipped);
	if (!err)
		check_cpu(&cpu);
	free(text);
	wp_arena_deinit(&arena);
	return 0;
}
