/* SPDX-License-Identifier: BSD-3-Clause */
/* event: see event.h. */
#include "core/event.h"

#include <string.h>
#include <unistd.h>

void wp_event_set_each_cgroup(struct wp_event_set *set, const char *names)
{
	char *rest = wp_arena_strdup(&set->arena, names), *name;
	size_t n = set->events.n;
	uint32_t cgroup = 0;
	int groups = set->groups;

	while ((name = strsep(&rest, ","))) {
		for (size_t i = 0; i < n; i++) {
			struct wp_event event = set->events.v[i];

			if (event.group != WP_EVENT_NO_GROUP)
				event.group += (int)cgroup * groups;
			event.cgroup = cgroup + 1;
			event.cgroup_name = name;
			wp_vec_push(&set->events, event);
		}
		cgroup++;
	}
	set->groups = groups * (int)cgroup;
	set->events.n -= n;
	memmove(set->events.v, set->events.v + n, set->events.n * sizeof(*set->events.v));
}

const char *wp_event_class_name(enum wp_event_class class)
{
	static const char *const names[WP_EVENT_CLASSES] = {
		[WP_EVENT_CORE] = "core",	[WP_EVENT_DSU] = "dsu",
		[WP_EVENT_DMC_CLK] = "dmc_clk", [WP_EVENT_DMC_CLKDIV2] = "dmc_clkdiv2",
		[WP_EVENT_UNCORE] = "uncore",
	};

	return names[class];
}

bool wp_event_set_has_class(const struct wp_event_set *events, enum wp_event_class class)
{
	wp_vec_each (const struct wp_event, event, &events->events)
		if (event->class == class)
			return true;
	return false;
}

void wp_event_set_deinit(struct wp_event_set *set)
{
	wp_vec_each (int, fd, &set->files)
		close(*fd);
	wp_vec_deinit(&set->files);
	wp_arena_deinit(&set->arena);
	wp_vec_deinit(&set->events);
}
