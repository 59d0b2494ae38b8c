/* SPDX-License-Identifier: BSD-3-Clause */
/* python_places: see python_places.h. */
#include "session/recorded/python_places.h"

#include <stdlib.h>

#define NEIGHBOURS 64 /* that one place is compared with; honest recordings have a few */

static int compare_code_starts(const void *a, const void *b)
{
	const struct wp_perfdata_place *x = &((const struct wp_python_place *)a)->of;
	const struct wp_perfdata_place *y = &((const struct wp_python_place *)b)->of;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static bool take_turns(const struct wp_perfdata_place *a, const struct wp_perfdata_place *b)
{
	return a->pid == b->pid && b->start < a->start + a->bytes && a->first_ns <= b->last_ns &&
	       b->first_ns <= a->last_ns;
}

/* Places behind it that begin before it ends. */
static void doubt_neighbours(struct wp_python_places *places, size_t at)
{
	struct wp_python_place *place = &places->all.v[at];
	size_t end = at + 1 + NEIGHBOURS;

	for (size_t i = at + 1; i < places->all.n && i < end; i++) {
		struct wp_python_place *other = &places->all.v[i];

		if (other->of.pid != place->of.pid ||
		    other->of.start >= place->of.start + place->of.bytes)
			return;
		if (take_turns(&place->of, &other->of))
			place->doubtful = other->doubtful = true;
	}
}

static void order_places(struct wp_python_places *places)
{
	uint64_t furthest = 0;

	if (places->all.n)
		qsort(places->all.v, places->all.n, sizeof(*places->all.v), compare_code_starts);
	for (size_t i = 0; i < places->all.n; i++) {
		struct wp_python_place *place = &places->all.v[i];
		uint64_t end = place->of.start + place->of.bytes;

		if (!i || places->all.v[i - 1].of.pid != place->of.pid)
			furthest = 0;
		furthest = end > furthest ? end : furthest;
		place->furthest = furthest;
		doubt_neighbours(places, i);
	}
}

void wp_python_places_init(struct wp_python_places *places, const struct wp_recording_notes *notes)
{
	*places = (struct wp_python_places){.notes = notes};
	if (!notes)
		return;
	for (size_t i = 0; i < notes->told.n; i++)
		*wp_map_put(&places->function_at, notes->told.v[i].number) = i + 1;
	wp_vec_each (const struct wp_perfdata_place, place, &notes->places) {
		wp_vec_push(&places->all, (struct wp_python_place){.of = *place});
		*wp_map_put(&places->processes, place->pid) = 1;
	}
	order_places(places);
}

void wp_python_places_deinit(struct wp_python_places *places)
{
	wp_vec_deinit(&places->all);
	wp_map_deinit(&places->function_at);
	wp_map_deinit(&places->processes);
	*places = (struct wp_python_places){0};
}

/* The first place behind an address; what has it stands in front of that. */
static size_t find_next_start(const struct wp_python_places *places, uint32_t pid, uint64_t addr)
{
	size_t low = 0, high = places->all.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct wp_perfdata_place *of = &places->all.v[mid].of;

		if (of->pid < pid || (of->pid == pid && of->start <= addr))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct wp_python_place *find_place_at(const struct wp_python_places *places,
						   uint32_t pid, uint64_t addr, uint64_t time_ns)
{
	size_t i = find_next_start(places, pid, addr);

	for (size_t steps = 0; i-- > 0 && steps < NEIGHBOURS; steps++) {
		const struct wp_python_place *place = &places->all.v[i];

		if (place->of.pid != pid || place->furthest <= addr)
			return NULL;
		if (addr < place->of.start + place->of.bytes && !place->doubtful &&
		    time_ns >= place->of.first_ns && time_ns <= place->of.last_ns)
			return place;
	}
	return NULL;
}

bool wp_python_places_find(const struct wp_python_places *places, uint32_t pid, uint64_t addr,
			   uint64_t time_ns, struct wp_python_unit *ret)
{
	const struct wp_python_place *place = find_place_at(places, pid, addr, time_ns);
	struct wp_python_bytecode bytecode;
	const uint64_t *function;

	if (!place)
		return false;
	function = wp_map_get(&places->function_at, place->of.function);
	if (!function || !places->notes->told.v[*function - 1].name)
		return false;
	*ret = (struct wp_python_unit){
		.at = {place->of.number, (int32_t)(addr - place->of.start)},
		.function = &places->notes->told.v[*function - 1],
	};
	if (wp_recording_notes_bytecode(places->notes, place->of.number, &bytecode) &&
	    bytecode.lines.n)
		ret->line = wp_python_lines_at(&bytecode.lines, ret->at.lasti);
	return true;
}
