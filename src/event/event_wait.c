/* SPDX-License-Identifier: BSD-3-Clause */
/* event_wait: see event_wait.h. */
#include "event/event_wait.h"

#include "base/str.h"
#include "core/wait.h"
#include "event/event_tracepoint.h"

#include <linux/perf_event.h>
#include <string.h>

#define TYPED	  "off-cpu"
#define SWITCH	  "sched:sched_switch"
#define WAKING	  "sched:sched_waking"
#define THRESHOLD "min_us="
#define US_MAX	  UINT32_MAX
#define NS_PER_US 1000

static size_t name_length(const char *word)
{
	return strcspn(word, "/");
}

static bool is_wait_name(const char *word, const char *name)
{
	return name_length(word) == strlen(name) && strncmp(word, name, strlen(name)) == 0;
}

bool wp_event_is_wait(const char *word)
{
	return is_wait_name(word, TYPED) || is_wait_name(word, WP_EVENT_OFF_CPU);
}

/* "/min_us=N/", or nothing. */
static struct wp_err *parse_threshold(const char *word, uint64_t *ret_ns)
{
	const char *terms = word + name_length(word);
	size_t n = strlen(terms);
	uint64_t us;

	*ret_ns = 0;
	if (!n || strcmp(terms, "//") == 0)
		return NULL;
	wp_autofree char *inner = wp_strndup(terms + 1, n > 1 ? n - 2 : 0);
	if (n < 2 || terms[n - 1] != '/' || !wp_str_has_prefix(inner, THRESHOLD) ||
	    !wp_str_to_u64(inner + strlen(THRESHOLD), 10, US_MAX, &us))
		return wp_err_new(WP_ERR_USAGE,
				  "%s: want " TYPED " or " TYPED "/" THRESHOLD
				  "N/, N microseconds from 0 to 4294967295",
				  word);
	*ret_ns = us * NS_PER_US;
	return NULL;
}

bool wp_event_wait_is_there(const struct wp_machine *machine)
{
	uint64_t id;

	return wp_event_tracepoint_id(machine, SWITCH, &id);
}

struct wp_err *wp_event_wait(const struct wp_machine *machine, const char *word,
			     struct wp_event *ret)
{
	const char *why = machine->limits.tracefs_why;

	ret->name = WP_EVENT_OFF_CPU;
	ret->source = WP_EVENT_SW;
	ret->type = PERF_TYPE_SOFTWARE;
	ret->config = PERF_COUNT_SW_BPF_OUTPUT;
	ret->period = 1;
	ret->in_kernel = true;
	ret->weight = WP_WAIT_WEIGHT;
	TRY(parse_threshold(word, &ret->min_ns));
	if (wp_event_tracepoint_id(machine, SWITCH, &ret->switch_id))
		return NULL;
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "event '" TYPED "' needs the tracepoint " SWITCH ", which cannot be "
			  "looked up: %s",
			  why && *why ? why : "this kernel has none");
}

struct wp_err *wp_event_wakers_add(const struct wp_machine *machine, struct wp_event_set *set)
{
	const char *why = machine->limits.tracefs_why;
	struct wp_event event = {
		.name = WP_EVENT_WAKERS,
		.source = WP_EVENT_SW,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.period = 1,
		.in_kernel = true,
		.weight = WP_WAIT_WEIGHT,
		.group = WP_EVENT_NO_GROUP,
	};

	if (wp_event_set_wakers(set))
		return NULL;
	if (!wp_event_tracepoint_id(machine, WAKING, &event.waking_id))
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "--wakers needs the tracepoint " WAKING
				  ", which cannot be looked up: %s",
				  why && *why ? why : "this kernel has none");
	wp_vec_push(&set->events, event);
	return NULL;
}

struct wp_err *wp_event_wait_check(const struct wp_event_set *set)
{
	const struct wp_event *found = NULL;

	wp_vec_each (const struct wp_event, event, &set->events) {
		if (!event->switch_id)
			continue;
		if (found)
			return wp_err_new(WP_ERR_USAGE, TYPED " is in the list twice: a wait is "
							      "one sample");
		if (event->group != WP_EVENT_NO_GROUP)
			return wp_err_new(WP_ERR_USAGE, TYPED " cannot be in a {group}: it is "
							      "sampled on its own");
		if (event->period != 1)
			return wp_err_new(WP_ERR_USAGE,
					  TYPED " has no interval: every wait is measured; short "
						"ones are summed with " TYPED "/" THRESHOLD "N/");
		found = event;
	}
	return NULL;
}
