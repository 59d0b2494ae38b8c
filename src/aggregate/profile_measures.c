/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_measures: see profile_measures.h. */
#include "aggregate/profile_measures.h"

#include "aggregate/mem_access.h"

#include <stdlib.h>

#define MEASURES (1 + WP_MEM_LEVELS) /* of an event; 0: latency, others: a level + 1 */

static const char *const names[MEASURES] = {"latency", "l1", "lfb", "l2", "l3", "ram", "other"};

void wp_profile_take_access(const struct wp_sample_data *data, struct wp_profile_sample *add)
{
	struct wp_mem_access access;

	if (!wp_mem_access_read(data, &access))
		return;
	add->latency = access.latency < UINT32_MAX ? (uint32_t)access.latency : UINT32_MAX;
	add->level = access.has_source ? (uint8_t)(access.level + 1) : 0;
}

static void put_measure(struct wp_profile *profile, struct wp_arena *arena, uint32_t event,
			uint8_t measure)
{
	const char *of = profile->events.v[event].name;

	wp_vec_push(&profile->measures,
		    (struct wp_profile_measure){
			    .name = profile->events.n > 1
					    ? wp_arena_printf(arena, "%s.%s", of, names[measure])
					    : names[measure],
			    .unit = measure ? "count" : "cycles",
			    .event = event,
			    .level = measure,
		    });
}

void wp_profile_find_measures(struct wp_profile *profile, struct wp_arena *arena)
{
	wp_autofree bool *met = wp_calloc(profile->events.n * MEASURES + 1, sizeof(*met));

	wp_vec_each (struct wp_profile_sample, sample, &profile->samples) {
		bool *of_event = met + (size_t)sample->event * MEASURES;

		if (sample->latency)
			of_event[0] = true;
		if (sample->level)
			of_event[sample->level] = true;
	}
	for (uint32_t event = 0; event < profile->events.n; event++)
		for (uint8_t measure = 0; measure < MEASURES; measure++)
			if (met[(size_t)event * MEASURES + measure])
				put_measure(profile, arena, event, measure);
}
