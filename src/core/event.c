/* SPDX-License-Identifier: BSD-3-Clause */
/* event: see event.h. */
#include "core/event.h"

#include <linux/perf_event.h>
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

/* All events of a group count at the same moments, so that one cgroup is theirs. */
static bool has_mixed_groups(const struct wp_event_set *set)
{
	for (size_t i = 1; i < set->events.n; i++) {
		const struct wp_event *event = &set->events.v[i], *before = event - 1;

		if (event->group != WP_EVENT_NO_GROUP && event->group == before->group &&
		    event->cgroup != before->cgroup)
			return true;
	}
	return false;
}

/* Named again it is the one that it was: events of a group share it. */
static uint32_t cgroup_before(const struct wp_event_set *set, size_t n, const char *name,
			      uint32_t otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (set->events.v[i].cgroup && strcmp(set->events.v[i].cgroup_name, name) == 0)
			return set->events.v[i].cgroup;
	return otherwise;
}

struct wp_err *wp_event_set_pair_cgroups(struct wp_event_set *set, const char *names)
{
	bool one = !strchr(names, ',');
	char *rest = wp_arena_strdup(&set->arena, names), *name = NULL;
	uint32_t cgroup = 0;

	for (size_t i = 0; i < set->events.n; i++) {
		struct wp_event *event = &set->events.v[i];

		if (!event->is_copy && !(one && name)) {
			name = strsep(&rest, ",");
			cgroup += name && *name;
		}
		if (!name || !*name)
			continue;
		event->cgroup = cgroup_before(set, i, name, cgroup);
		event->cgroup_name = name;
	}
	if (rest)
		return wp_err_new(WP_ERR_USAGE, "-G %s: more cgroups than events (%zu)", names,
				  set->events.n);
	if (has_mixed_groups(set))
		return wp_err_new(
			WP_ERR_USAGE,
			"-G %s: the events of a {group} are counted in one cgroup: name it "
			"for each of them",
			names);
	return NULL;
}

static bool is_output_named(const struct wp_event *event, const char *name)
{
	return event->type == PERF_TYPE_SOFTWARE && event->config == PERF_COUNT_SW_BPF_OUTPUT &&
	       strcmp(event->name, name) == 0;
}

bool wp_event_is_off_cpu(const struct wp_event *event)
{
	return is_output_named(event, WP_EVENT_OFF_CPU);
}

bool wp_event_is_wakers(const struct wp_event *event)
{
	return is_output_named(event, WP_EVENT_WAKERS);
}

bool wp_event_is_dummy(const struct wp_event *event)
{
	return event->type == PERF_TYPE_SOFTWARE && event->config == PERF_COUNT_SW_DUMMY;
}

bool wp_event_set_has_spe(const struct wp_event_set *set)
{
	wp_vec_each (const struct wp_event, event, &set->events)
		if (event->is_spe)
			return true;
	return false;
}

bool wp_event_set_has_off_cpu(const struct wp_event_set *set)
{
	wp_vec_each (const struct wp_event, event, &set->events)
		if (wp_event_is_off_cpu(event))
			return true;
	return false;
}

uint32_t wp_event_set_wakers(const struct wp_event_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (wp_event_is_wakers(&set->events.v[i]))
			return (uint32_t)i + 1;
	return 0;
}

bool wp_event_is_time(const struct wp_event *event)
{
	return event->is_clock || event->is_wall || wp_event_is_off_cpu(event);
}

/* Calls that return how many bytes they moved. */
static bool moves_bytes(const char *name)
{
	static const char *const calls[] = {
		"read",	    "write",	       "pread64",  "pwrite64", "readv",	   "writev",
		"preadv",   "pwritev",	       "preadv2",  "pwritev2", "sendto",   "recvfrom",
		"sendmsg",  "recvmsg",	       "splice",   "tee",      "vmsplice", "sendfile64",
		"sendfile", "copy_file_range", "getrandom"};
	static const char prefix[] = "syscalls:sys_exit_";
	size_t n;

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	name += strlen(prefix);
	n = strcspn(name, "/");
	for (size_t i = 0; i < WP_ARRAY_LEN(calls); i++)
		if (strlen(calls[i]) == n && strncmp(name, calls[i], n) == 0)
			return true;
	return false;
}

const char *wp_event_weight_unit(const struct wp_event *event)
{
	static const char scheduler[] = "sched:sched_stat_"; /* runtime=1234 [ns] */

	if (!event->weight)
		return NULL;
	if (wp_event_is_off_cpu(event) || wp_event_is_wakers(event) || event->is_wall)
		return "nanoseconds";
	if (strstr(event->weight, "bytes") ||
	    (strcmp(event->weight, "ret") == 0 && moves_bytes(event->name)))
		return "bytes";
	if (strncmp(event->name, scheduler, strlen(scheduler)) == 0 &&
	    (strcmp(event->weight, "runtime") == 0 || strcmp(event->weight, "delay") == 0))
		return "nanoseconds";
	return NULL;
}

bool wp_event_has_args(const struct wp_event *event)
{
	return event->probe && event->probe->format_id;
}

uint64_t wp_event_tracepoint(const struct wp_event *event)
{
	return event->source == WP_EVENT_TRACEPOINT ? event->config : event->switch_id;
}

uint64_t wp_event_format_id(const struct wp_event *event)
{
	if (wp_event_tracepoint(event))
		return wp_event_tracepoint(event);
	return wp_event_has_args(event) ? event->probe->format_id : 0;
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
