/* SPDX-License-Identifier: BSD-3-Clause */
/* event_text: the sentences of data/events/descriptions.json, by the event's name. */
#include "event/cpu.h"
#include "event/event_names.h"

#include <stdlib.h>
#include <string.h>

static int compare_name_to_event(const void *name, const void *event)
{
	return strcmp(name, ((const struct wp_cpu_event *)event)->name);
}

const char *wp_event_text(const char *name)
{
	const struct wp_cpu_event *found =
		bsearch(name, wp_cpu_descriptions, wp_cpu_descriptions_n,
			sizeof(*wp_cpu_descriptions), compare_name_to_event);

	const struct wp_event_name *generic = wp_event_hardware_find(name);

	if (found)
		return found->title;
	return generic ? generic->description : NULL;
}
