/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule: see schedule.h. */
#include "event/schedule.h"

#include "event/event_counting.h"

#include <stdbool.h>

/* A group, or an event of its own: what is counted all at once or not at all. */
struct unit {
	WP_VEC(size_t) events; /* indices in the set */
	int group;
};

struct unit_list {
	WP_VEC(struct unit) v;
};

/* Whether an event takes one of the counters that a class has. */
static bool takes_counter(const struct wp_event *event)
{
	return event->class != WP_EVENT_CORE || event->source == WP_EVENT_HW;
}

static struct unit *unit_of_group(struct unit_list *list, int group)
{
	wp_vec_each (struct unit, unit, &list->v)
		if (group != WP_EVENT_NO_GROUP && unit->group == group)
			return unit;
	wp_vec_push(&list->v, (struct unit){.group = group});
	return &list->v.v[list->v.n - 1];
}

/* The class's events that take counters, in the order of their first members. */
static void list_schedule_units(const struct wp_event_set *set, enum wp_event_class class,
				struct unit_list *ret)
{
	for (size_t i = 0; i < set->events.n; i++) {
		const struct wp_event *event = &set->events.v[i];

		if (event->class == class && takes_counter(event) && !event->is_copy) {
			struct unit *unit = unit_of_group(ret, event->group);

			wp_vec_push(&unit->events, i);
		}
	}
}

static void free_units(struct unit_list *list)
{
	wp_vec_each (struct unit, unit, &list->v)
		wp_vec_deinit(&unit->events);
	wp_vec_deinit(&list->v);
}

static size_t trailing_padding(const struct wp_schedule *schedule)
{
	size_t n = 0;

	while (n < schedule->slots.n && !schedule->slots.v[schedule->slots.n - 1 - n])
		n++;
	return n;
}

/* Up to the end of the row: with the next single events, then with padding. */
static void fill_row(const struct wp_event_set *set, uint32_t counters,
		     const struct unit_list *units, size_t *single, struct wp_schedule *ret)
{
	while (ret->slots.n % counters) {
		const struct wp_event *event = NULL;

		for (; !event && *single < units->v.n; (*single)++)
			if (units->v.v[*single].group == WP_EVENT_NO_GROUP)
				event = &set->events.v[units->v.v[*single].events.v[0]];
		wp_vec_push(&ret->slots, event);
	}
}

static void place_group(const struct wp_event_set *set, const struct unit *unit,
			struct wp_schedule *ret)
{
	size_t padding = trailing_padding(ret), at = ret->slots.n;

	if (padding >= unit->events.n)
		at -= padding;
	wp_vec_each (const size_t, event, &unit->events) {
		if (at < ret->slots.n)
			ret->slots.v[at] = &set->events.v[*event];
		else
			wp_vec_push(&ret->slots, &set->events.v[*event]);
		at++;
	}
}

/* What takes no counter: software events, tracepoints. */
static void add_others(const struct wp_event_set *set, enum wp_event_class class,
		       struct wp_schedule *ret)
{
	wp_vec_each (const struct wp_event, event, &set->events)
		if (event->class == class && !takes_counter(event))
			wp_vec_push(&ret->slots, event);
}

void wp_schedule_rows(const struct wp_event_set *set, enum wp_event_class class, uint32_t counters,
		      struct wp_schedule *ret)
{
	struct unit_list units = {0};
	bool groups = false;
	size_t single = 0;

	*ret = (struct wp_schedule){0};
	list_schedule_units(set, class, &units);
	wp_vec_each (const struct unit, unit, &units.v) {
		if (unit->group == WP_EVENT_NO_GROUP)
			continue;
		groups = true;
		place_group(set, unit, ret);
		if (counters)
			fill_row(set, counters, &units, &single, ret);
	}
	for (; single < units.v.n; single++)
		if (units.v.v[single].group == WP_EVENT_NO_GROUP)
			wp_vec_push(&ret->slots, &set->events.v[units.v.v[single].events.v[0]]);
	while (groups && counters && ret->slots.n % counters)
		wp_vec_push(&ret->slots, NULL);
	add_others(set, class, ret);
	free_units(&units);
}

/* Whether a unit fits beside the events that are on the counters. */
static bool fit_unit(const struct wp_machine *machine, const struct wp_event_set *set,
		     const struct unit *unit, struct wp_event_set *on)
{
	size_t before = on->events.n;

	wp_vec_each (const size_t, event, &unit->events)
		wp_vec_push(&on->events, set->events.v[*event]);
	if (!machine->gpc_free ||
	    wp_event_counters_needed(machine, on->events.v, on->events.n) <= machine->gpc_free)
		return true;
	on->events.n = before;
	return false;
}

/* One turn: units from `first` on, round, until one does not fit. How many are counted. */
static size_t take_turn(const struct wp_machine *machine, const struct wp_event_set *set,
			const struct unit_list *units, size_t first, double *counted)
{
	struct wp_event_set on = {0};
	size_t n = 0;

	for (; n < units->v.n; n++) {
		const struct unit *unit = &units->v.v[(first + n) % units->v.n];

		if (!fit_unit(machine, set, unit, &on))
			break;
		wp_vec_each (const size_t, event, &unit->events)
			counted[*event] += 1;
	}
	wp_vec_deinit(&on.events);
	return n;
}

void wp_schedule_turns(const struct wp_machine *machine, const struct wp_event_set *set,
		       struct wp_turns *ret)
{
	struct unit_list units = {0};

	*ret = (struct wp_turns){.n = 1};
	list_schedule_units(set, WP_EVENT_CORE, &units);
	for (size_t i = 0; i < set->events.n; i++)
		wp_vec_push(&ret->shares, 0);
	if (units.v.n && take_turn(machine, set, &units, 0, ret->shares.v) < units.v.n) {
		ret->n = (uint32_t)units.v.n;
		for (size_t first = 1; first < units.v.n; first++)
			take_turn(machine, set, &units, first, ret->shares.v);
	}
	for (size_t i = 0; i < set->events.n; i++) {
		const struct wp_event *event = &set->events.v[i];

		if (event->class != WP_EVENT_CORE || !takes_counter(event))
			ret->shares.v[i] = 1;
		else
			ret->shares.v[i] /= ret->n;
	}
	free_units(&units);
}
