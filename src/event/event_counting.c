/* SPDX-License-Identifier: BSD-3-Clause */
/* event_counting: `a,{b,c},/dsu/d` to events in groups; see event_parse.h. */
#include "event/event_counting.h"

#include "base/str.h"
#include "event/event_lookup.h"
#include "event/event_units.h"

#include <linux/perf_event.h>
#include <string.h>

/* Where the list is being read. */
struct parse {
	const struct wp_catalogue *catalogue;
	struct wp_event_set *set;
	const char *list, *metric;
	bool dry;      /* braces are checked, names are not looked up */
	bool open;     /* inside braces */
	uint32_t core; /* inside of core_N/.../: as wp_event.core */
	size_t first;  /* of the open group, in the set */
};

/*
 * The number of the fixed counter that can count it, or -1. Arm: cycles. x86 (Intel): instructions,
 * cycles, cycles at a constant rate; AMD has none.
 */
static int fixed_counter(const struct wp_machine *machine, const struct wp_event *event)
{
	static const struct {
		uint32_t type;
		uint64_t arm, x86[3];
	} kinds[] = {
		{PERF_TYPE_HARDWARE,
		 PERF_COUNT_HW_CPU_CYCLES,
		 {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
		  PERF_COUNT_HW_REF_CPU_CYCLES}},
		{PERF_TYPE_RAW, 0x11, {0xc0, 0x3c, 0x300}},
	};
	bool arm = strcmp(machine->arch ? machine->arch : "", "aarch64") == 0;
	size_t kind = event->type == PERF_TYPE_HARDWARE ? 0 : 1;

	if (event->type == PERF_TYPE_HW_CACHE)
		return -1;
	if (arm)
		return machine->fpc && event->config == kinds[kind].arm ? 0 : -1;
	for (int i = 0; i < 3; i++)
		if ((uint32_t)i < machine->fpc && event->config == kinds[kind].x86[i])
			return i;
	return -1;
}

/*
 * Intel's issue slots and the shares of them that one register gives (PERF_METRICS): event 0 with
 * an umask of 4 or from 0x80 on, for which there is a counter of their own.
 */
static bool is_slots(const struct wp_machine *machine, const struct wp_event *event)
{
	return strcmp(machine->arch ? machine->arch : "", "x86_64") == 0 && machine->fpc &&
	       event->type != PERF_TYPE_HARDWARE && event->type != PERF_TYPE_HW_CACHE &&
	       (event->config & 0xff) == 0 && event->config >= 0x400;
}

uint32_t wp_event_counters_needed(const struct wp_machine *machine, const struct wp_event *events,
				  size_t n)
{
	uint32_t needed = 0, taken = 0;

	for (size_t i = 0; i < n; i++) {
		int fixed = fixed_counter(machine, &events[i]);

		if (events[i].source != WP_EVENT_HW || events[i].class != WP_EVENT_CORE ||
		    is_slots(machine, &events[i]))
			continue;
		if (fixed >= 0 && !(taken >> fixed & 1))
			taken |= 1u << fixed;
		else
			needed++;
	}
	return needed;
}

static struct wp_err *check_size(const struct parse *parse)
{
	const struct wp_machine *machine = parse->catalogue->machine;
	uint32_t n = wp_event_counters_needed(machine, parse->set->events.v + parse->first,
					      parse->set->events.n - parse->first);

	if (machine->gpc_total && n > machine->gpc_total)
		return wp_err_new(WP_ERR_LIMIT,
				  "event group size(%u) exceeds number of hardware PMU "
				  "counters(%u)",
				  n, machine->gpc_total);
	if (machine->gpc_free && n > machine->gpc_free)
		return wp_err_new(WP_ERR_LIMIT,
				  "event group size(%u) exceeds number of free hardware PMU "
				  "counters(%u) out of a total of (%u)",
				  n, machine->gpc_free, machine->gpc_total);
	return NULL;
}

/* How many events the open group has; one that several units count is one. */
static size_t count_group_members(const struct parse *parse)
{
	size_t n = 0;

	for (size_t i = parse->first; i < parse->set->events.n; i++)
		n += !parse->set->events.v[i].is_copy;
	return n;
}

/* A group of one is no group. */
static struct wp_err *close_counted_group(struct parse *parse)
{
	struct wp_event_set *set = parse->set;

	parse->open = false;
	if (parse->dry || count_group_members(parse) < 2)
		return NULL;
	TRY(check_size(parse));
	for (size_t i = parse->first; i < set->events.n; i++)
		set->events.v[i].group = set->groups;
	set->groups++;
	return NULL;
}

static struct wp_err *open_counted_group(struct parse *parse, const char *typed)
{
	if (parse->open)
		return wp_err_new(WP_ERR_USAGE, "nested group is not supported %s", typed);
	parse->open = true;
	parse->first = parse->set->events.n;
	return NULL;
}

/* Whether the typed word ends a group; the brace is cut off. */
static struct wp_err *cut_counted_closing(const struct parse *parse, char *word, const char *typed,
					  bool *ret)
{
	char *brace = strchr(word, '}');

	*ret = brace != NULL;
	if (strchr(word, '{'))
		return wp_err_new(WP_ERR_USAGE, "nested group is not supported %s", typed);
	if (!brace)
		return NULL;
	if (!parse->open)
		return wp_err_new(WP_ERR_USAGE, "missing '{' for event group %s", typed);
	if (brace[1])
		return wp_err_new(WP_ERR_USAGE,
				  "'%s' behind '}' in %s: modifiers belong to each event, as in "
				  "{a:u,b:u}",
				  brace + 1, typed);
	*brace = '\0';
	return NULL;
}

/* Members of a group are counted by one PMU; software events may join those of a CPU. */
static bool fits_group(const struct parse *parse, const struct wp_event *event)
{
	const struct wp_event_set *set = parse->set;
	const struct wp_event *first;

	if (set->events.n == parse->first)
		return true;
	first = set->events.v + parse->first;
	if (event->class != first->class || !event->unit != !first->unit)
		return false;
	return !event->unit || wp_pmu_same_kind(event->unit, first->unit);
}

static struct wp_err *add_event_word(struct parse *parse, enum wp_event_class class,
				     const char *word)
{
	struct wp_event_set *set = parse->set;
	struct wp_event event;

	TRY(wp_event_lookup(parse->catalogue, class, word, &set->arena, &event));
	if (event.switch_id)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s' is sampled, not counted: wperf record "
				  "-e off-cpu; context-switches are counted",
				  word);
	if (event.is_spe)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s' is sampled, not counted: wperf record -e %s", word,
				  word);
	if (parse->open && !fits_group(parse, &event))
		return wp_err_new(WP_ERR_USAGE,
				  "event group mixes %s%s with events of another class: a group "
				  "is counted by one unit",
				  wp_event_class_prefix(class), word);
	event.core = parse->core;
	if (parse->metric)
		event.metric = wp_arena_strdup(&set->arena, parse->metric);
	return wp_event_push_units(parse->catalogue, word, &event, set);
}

static struct wp_err *parse_counted_word(struct parse *parse, const char *typed)
{
	const char *at = typed;
	enum wp_event_class class = wp_event_class_skip(&at);
	bool closes;

	if (*at == '{') {
		TRY(open_counted_group(parse, typed));
		at++;
		if (*at == '{')
			return wp_err_new(WP_ERR_USAGE, "nested group is not supported %s", typed);
	}
	wp_autofree char *word = wp_strdup(at);
	TRY(cut_counted_closing(parse, word, typed, &closes));
	if (!*word)
		return wp_event_word_empty(parse->list);
	if (!parse->dry)
		TRY(add_event_word(parse, class, word));
	return closes ? close_counted_group(parse) : NULL;
}

/* core_N/a,{b,c}/: what is between the slashes, or NULL when the word is no such one. */
static const char *core_words(const char *word, uint32_t *ret_core)
{
	uint64_t core;
	const char *slash = strchr(word, '/');

	if (!wp_str_has_prefix(word, "core_") || !slash)
		return NULL;
	wp_autofree char *number = wp_strndup(word + 5, (size_t)(slash - word) - 5);
	if (!wp_str_to_u64(number, 10, UINT32_MAX - 1, &core))
		return NULL;
	*ret_core = (uint32_t)core + 1;
	return slash + 1;
}

static struct wp_err *check_core(const struct parse *parse, const char *typed)
{
	const struct wp_machine *machine = parse->catalogue->machine;
	uint32_t core = parse->core - 1;

	if (parse->open)
		return wp_err_new(WP_ERR_USAGE, "%s stands in a group: want core_N/{a,b}/", typed);
	if (core >= machine->core_count ||
	    (machine->online.cpus.n && !wp_cpuset_has(&machine->online, core)))
		return wp_err_new(WP_ERR_USAGE, "%s: core %u does not run, want 0 to %u", typed,
				  core, machine->core_count ? machine->core_count - 1 : 0);
	return NULL;
}

/* As Arm's topdown tool says which cores count what. */
static struct wp_err *parse_core(struct parse *parse, const char *typed, const char *inner)
{
	size_t len = strcspn(inner, "/");
	wp_autofree char *words = wp_strndup(inner, len);
	char *rest = words, *word;

	TRY(check_core(parse, typed));
	if (strcmp(inner + len, "/") != 0)
		return wp_err_new(WP_ERR_USAGE, "%s: want core_N/EVENTS/, with no other slash",
				  typed);
	while ((word = wp_event_word_next(&rest)))
		TRY(parse_counted_word(parse, word));
	if (parse->open)
		return wp_err_new(WP_ERR_USAGE, "missing '}' for event group in %s", typed);
	parse->core = 0;
	return NULL;
}

static struct wp_err *parse_counted_words(struct parse *parse)
{
	wp_autofree char *copy = wp_strdup(parse->list);
	char *rest = copy, *word;
	const char *inner;

	while ((word = wp_event_word_next(&rest))) {
		inner = core_words(word, &parse->core);
		TRY(inner ? parse_core(parse, word, inner) : parse_counted_word(parse, word));
	}
	if (parse->open)
		return wp_err_new(WP_ERR_USAGE, "missing '}' for event group in %s", parse->list);
	return NULL;
}

struct wp_err *wp_event_parse_list(const struct wp_catalogue *catalogue, const char *list,
				   const char *metric, struct wp_event_set *ret)
{
	struct parse parse = {
		.catalogue = catalogue,
		.set = ret,
		.list = list,
		.metric = metric,
		.dry = true,
	};

	TRY(parse_counted_words(&parse));
	parse.dry = false;
	return parse_counted_words(&parse);
}

struct wp_err *wp_event_parse_counting(const struct wp_catalogue *catalogue, const char *list,
				       struct wp_event_set *ret)
{
	return wp_event_parse_list(catalogue, list, NULL, ret);
}

struct wp_event wp_event_cycle(void)
{
	return (struct wp_event){
		.name = "cycle",
		.source = WP_EVENT_HW,
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.is_fixed = true,
		.group = WP_EVENT_NO_GROUP,
	};
}

void wp_event_add_fixed(const struct wp_catalogue *catalogue, struct wp_event_set *set)
{
	const struct wp_machine *machine = catalogue->machine;
	struct wp_event cycle = wp_event_cycle();

	if (!machine->has_hw_pmu) {
		wp_log(catalogue->log, WP_LOG_NOTE, "no cycle counter: %s",
		       machine->hw_pmu_why ? machine->hw_pmu_why : "there is no hardware PMU");
		return;
	}
	wp_vec_push(&set->events, cycle);
	memmove(set->events.v + 1, set->events.v, (set->events.n - 1) * sizeof(cycle));
	set->events.v[0] = cycle;
}
