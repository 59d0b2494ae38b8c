/* SPDX-License-Identifier: BSD-3-Clause */
/* event_tracepoint: see event_tracepoint.h. */
#include "event/event_tracepoint.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/pmu_sysfs.h"

#include <string.h>

bool wp_event_tracepoint_id(const struct wp_machine *machine, const char *word, uint64_t *ret)
{
	const struct wp_machine_event *told = wp_pmu_event_find(machine, "tracepoint", word);
	const char *events = machine->limits.tracefs_events;
	const char *colon = strchr(word, ':');

	if (told) {
		*ret = told->config;
		return true;
	}
	if (!events || !colon || colon == word || strchr(word, '/') || word[0] == '.' ||
	    colon[1] == '.')
		return false;
	wp_autofree char *path =
		wp_asprintf("%s/%.*s/%s/id", events, (int)(colon - word), word, colon + 1);
	return wp_file_u64(path, 10, ret);
}
