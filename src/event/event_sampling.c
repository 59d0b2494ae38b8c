/* SPDX-License-Identifier: BSD-3-Clause */
/* event_sampling: `event[:interval]` of sample and record; see event_parse.h. */
#include "base/str.h"
#include "event/event_counting.h"
#include "event/event_lookup.h"
#include "event/event_probe.h"
#include "event/event_spe.h"
#include "event/event_wait.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_INTERVAL       0x4000000
#define DEFAULT_CYCLE_INTERVAL 0x8000000
#define DEFAULT_CLOCK_HZ       999

/*
 * The ':' before the interval, or NULL: the last one outside `pmu/.../` that a digit or sign
 * follows, but not the one of `mem:`.
 */
static char *interval_colon(char *word)
{
	char *colon = strrchr(word, ':'), *slash = strrchr(word, '/');

	if (wp_event_is_probe(word))
		return wp_event_probe_interval(word);
	if (!colon || (slash && slash > colon))
		return NULL;
	if (colon - word == 3 && strncasecmp(word, "mem", 3) == 0)
		return NULL;
	return !colon[1] || strchr("0123456789+-", colon[1]) ? colon : NULL;
}

/* As C's strtoul() reads numbers (0x, 0), at least 1 and at most 32 bits. */
static struct wp_err *parse_interval(const char *text, uint64_t *ret)
{
	char *end;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)*text) || *end)
		return wp_err_new(WP_ERR_USAGE,
				  "event interval: %s is invalid!\nnote: it is not a number", text);
	if (errno || value > UINT32_MAX || value == 0)
		return wp_err_new(WP_ERR_USAGE,
				  "event interval: %s is out of range!\nnote: it must be from 1 to "
				  "4294967295",
				  text);
	*ret = value;
	return NULL;
}

static void set_default_interval(struct wp_event *event, uint64_t freq_hz)
{
	if (freq_hz)
		event->freq_hz = freq_hz;
	else if (event->is_clock)
		event->freq_hz = DEFAULT_CLOCK_HZ;
	else if (event->source == WP_EVENT_HW || event->source == WP_EVENT_PMU)
		event->period = DEFAULT_INTERVAL;
	else
		event->period = 1;
}

/* "ld_spec:abc": what stands where an interval could, when the event itself is known. */
static struct wp_err *better_reason(const struct wp_catalogue *catalogue, const char *word,
				    struct wp_err *err, struct wp_arena *arena)
{
	const char *colon = strrchr(word, ':');
	struct wp_event event;

	if (err->code != WP_ERR_NOT_FOUND || !colon || strchr(word, '/') || wp_event_is_probe(word))
		return err;
	wp_autofree char *name = wp_strndup(word, (size_t)(colon - word));
	wp_autoerr struct wp_err *other =
		wp_event_lookup(catalogue, WP_EVENT_CORE, name, arena, &event);
	if (other)
		return err;
	wp_err_free(err);
	return wp_err_new(WP_ERR_USAGE, "event interval: %s is invalid!\nnote: it is not a number",
			  colon + 1);
}

static struct wp_err *parse_sampled_word(const struct wp_catalogue *catalogue, char *word,
					 uint64_t freq_hz, struct wp_event_set *ret)
{
	char *colon = interval_colon(word);
	struct wp_event event;
	uint64_t interval = 0;

	if (colon) {
		*colon = '\0';
		TRY(parse_interval(colon + 1, &interval));
	}
	struct wp_err *err = wp_event_lookup(catalogue, WP_EVENT_CORE, word, &ret->arena, &event);
	if (err)
		return colon ? err : better_reason(catalogue, word, err, &ret->arena);
	if (event.is_spe)
		wp_event_spe_interval(catalogue, interval, freq_hz, &event);
	else if (interval)
		event.period = interval;
	else if (!event.period)
		set_default_interval(&event, freq_hz);
	wp_vec_push(&ret->events, event);
	return NULL;
}

/* Where the list is being read. */
struct group {
	bool open;
	size_t first; /* of the open one, in the set */
};

static struct wp_err *open_sampled_group(struct group *group, const struct wp_event_set *set,
					 const char *typed)
{
	if (group->open || typed[1] == '{')
		return wp_err_new(WP_ERR_USAGE, "nested group is not supported %s", typed);
	group->open = true;
	group->first = set->events.n;
	return NULL;
}

/* The first one is sampled; what others count between two of its samples comes with them. */
static struct wp_err *close_sampled_group(struct group *group, struct wp_event_set *set)
{
	group->open = false;
	if (set->events.n - group->first < 2)
		return NULL;
	for (size_t i = group->first; i < set->events.n; i++) {
		struct wp_event *event = &set->events.v[i];

		if (event->is_spe)
			return wp_err_new(WP_ERR_USAGE,
					  "%s counts nothing, so that it can be in no group",
					  event->name);
		event->group = set->groups;
		event->is_member = i > group->first;
		if (event->is_member)
			event->period = event->freq_hz = 0;
	}
	set->groups++;
	return NULL;
}

/* Cuts the brace that ends a group, and `:S` behind it, off. */
static struct wp_err *cut_sampled_closing(const struct group *group, char *word, bool *ret)
{
	char *brace = strchr(word, '}');

	*ret = brace != NULL;
	if (!brace)
		return NULL;
	if (!group->open)
		return wp_err_new(WP_ERR_USAGE, "missing '{' for event group %s", word);
	if (strcmp(brace + 1, ":S") != 0)
		return wp_err_new(WP_ERR_USAGE,
				  "event groups are sampled as {a,b}:S, with the first event; "
				  "'%s' behind '}' is not :S",
				  brace + 1);
	*brace = '\0';
	return NULL;
}

static struct wp_err *parse_member(const struct wp_catalogue *catalogue, char *typed,
				   uint64_t freq_hz, struct group *group, struct wp_event_set *ret)
{
	char *word = typed;
	bool closes;

	if (*word == '{')
		TRY(open_sampled_group(group, ret, word++));
	TRY(cut_sampled_closing(group, word, &closes));
	TRY(parse_sampled_word(catalogue, word, freq_hz, ret));
	if (closes)
		TRY(close_sampled_group(group, ret));
	return NULL;
}

static struct wp_err *check_number(const struct wp_machine *machine, const struct wp_event_set *set)
{
	uint32_t n = 0;

	wp_vec_each (struct wp_event, event, &set->events)
		n += event->source == WP_EVENT_HW;
	if (machine->gpc_total && n > machine->gpc_total)
		return wp_err_new(WP_ERR_LIMIT,
				  "number of events requested exceeds the number of hardware PMU "
				  "counters(%u)",
				  machine->gpc_total);
	if (machine->gpc_free && n > machine->gpc_free)
		return wp_err_new(WP_ERR_LIMIT,
				  "number of events requested exceeds the number of free hardware "
				  "PMU counters(%u) out of a total of (%u)",
				  machine->gpc_free, machine->gpc_total);
	return NULL;
}

/*
 * CPU events are shown in the order of their number, as in WindowsPerf; they trade places among
 * themselves, and all others stay where they were asked for.
 */
static void sort_by_index(struct wp_event_set *set)
{
	struct wp_event *events = set->events.v;

	for (size_t i = 0; i < set->events.n; i++) {
		size_t at = i;

		for (size_t j = i; j-- > 0;) {
			if (events[at].source != WP_EVENT_HW || events[j].source != WP_EVENT_HW)
				continue;
			if (events[j].config <= events[at].config)
				break;
			struct wp_event other = events[j];
			events[j] = events[at];
			events[at] = other;
			at = j;
		}
	}
}

struct wp_err *wp_event_parse_sampling(const struct wp_catalogue *catalogue, const char *list,
				       uint64_t freq_hz, struct wp_event_set *ret)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *word;
	struct group group = {0};

	while ((word = wp_event_word_next(&rest))) {
		if (!*word)
			return wp_event_word_empty(list);
		TRY(parse_member(catalogue, word, freq_hz, &group, ret));
	}
	if (group.open)
		return wp_err_new(WP_ERR_USAGE, "missing '}' for event group in %s", list);
	TRY(check_number(catalogue->machine, ret));
	TRY(wp_event_wait_check(ret));
	if (!ret->groups)
		sort_by_index(ret);
	return NULL;
}

struct wp_err *wp_event_default_sampling(const struct wp_catalogue *catalogue, uint64_t freq_hz,
					 struct wp_event_set *ret)
{
	const struct wp_machine *machine = catalogue->machine;
	struct wp_event event = wp_event_cycle();

	event.freq_hz = freq_hz;
	event.period = freq_hz ? 0 : DEFAULT_CYCLE_INTERVAL;
	if (!machine->has_hw_pmu) {
		wp_log(catalogue->log, WP_LOG_NOTE, "sampling cpu-clock: %s",
		       machine->hw_pmu_why ? machine->hw_pmu_why : "there is no hardware PMU");
		TRY(wp_event_lookup(catalogue, WP_EVENT_CORE, "cpu-clock", &ret->arena, &event));
		set_default_interval(&event, freq_hz);
	}
	wp_vec_push(&ret->events, event);
	return NULL;
}
