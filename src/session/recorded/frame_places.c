/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_places: see frame_places.h. */
#include "session/recorded/frame_places.h"

#include "aggregate/hot_rows.h"
#include "base/str.h"

#include <string.h>

#define NO_PLACE UINT32_MAX

static uint64_t hash_of(const struct wp_frame *frame)
{
	return frame->rva.v ^ (uint64_t)frame->symbol << 40 ^ (uint64_t)frame->line << 20;
}

static void push_point(struct wp_frame_places *p, const struct wp_profile_frame *frame)
{
	wp_vec_push(&p->points, (struct wp_frame_point){.frame = *frame});
}

/* Each function runs the line where the next one was called, the innermost that of the address. */
static void push_lines(struct wp_frame_places *p, struct wp_resolver *resolver,
		       struct wp_profile_frame frame, uint32_t module)
{
	struct wp_resolver_inline inlined[WP_RESOLVER_INLINES];
	size_t n = wp_resolver_inlines(resolver, module, frame.rva, inlined);
	struct wp_resolver_line line;

	frame.first_line = wp_resolver_function_line(resolver, module, frame.rva);
	for (size_t i = 0; i < n; i++) {
		frame.file = inlined[i].call.file;
		frame.line = inlined[i].call.line;
		push_point(p, &frame);
		frame.symbol = inlined[i].symbol;
		frame.first_line = inlined[i].first_line;
	}
	if (!wp_resolver_line(resolver, module, frame.rva, &line))
		line = (struct wp_resolver_line){0};
	frame.file = line.file;
	frame.line = line.line;
	push_point(p, &frame);
}

static void push_points(struct wp_frame_places *p, struct wp_resolver *resolver,
			const struct wp_frame *at)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(resolver);
	const struct wp_symbol *symbol = &set->symbols.v[at->symbol];
	struct wp_profile_frame frame = {.symbol = at->symbol, .rva = at->rva};

	if (symbol->module != WP_NO_MODULE && symbol->kind == WP_SYMBOL_NATIVE && at->rva.v) {
		push_lines(p, resolver, frame, symbol->module);
		return;
	}
	if (symbol->module != WP_NO_MODULE && symbol->kind == WP_SYMBOL_PYTHON) {
		frame.file = set->modules.v[symbol->module].path;
		frame.line = at->line;
		frame.first_line = symbol->line;
	}
	push_point(p, &frame);
}

/* The place of a frame, made when it is new; NO_PLACE when there are too many. */
static uint32_t frame_place_of(struct wp_frame_places *p, struct wp_resolver *resolver,
			       const struct wp_frame *frame)
{
	uint64_t *head = wp_map_put(&p->place_of, hash_of(frame));
	struct wp_frame_place place = {frame->symbol, frame->line, frame->rva};

	for (uint32_t at = (uint32_t)*head; at; at = p->places.v[at - 1].next) {
		const struct wp_frame_place *known = &p->places.v[at - 1];

		if (known->symbol == frame->symbol && known->line == frame->line &&
		    known->rva.v == frame->rva.v)
			return at - 1;
	}
	if (p->places.n >= WP_FRAME_PLACES_MAX)
		return NO_PLACE;
	place.next = (uint32_t)*head;
	place.first = (uint32_t)p->points.n;
	push_points(p, resolver, frame);
	place.n = (uint32_t)p->points.n - place.first;
	wp_vec_push(&p->places, place);
	*head = p->places.n;
	return (uint32_t)(p->places.n - 1);
}

static bool find_frame_places(struct wp_frame_places *p, struct wp_resolver *resolver,
			      const struct wp_sample *sample)
{
	p->at.n = 0;
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t place = frame_place_of(p, resolver, &sample->frames[i]);

		if (place == NO_PLACE)
			return false;
		wp_vec_push(&p->at, place);
	}
	return true;
}

static bool symbol_matches(const struct wp_symbol *symbol, const char *pattern)
{
	if (!symbol->name)
		return false;
	return symbol->kind == WP_SYMBOL_PYTHON ? wp_hot_matches_qualified(symbol->name, pattern)
						: wp_hot_matches(symbol->name, pattern);
}

static bool some_matches(const struct wp_frame_places *p, struct wp_resolver *resolver,
			 const char *pattern)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(resolver);

	wp_vec_each (uint32_t, at, &p->at) {
		const struct wp_frame_place *place = &p->places.v[*at];

		for (uint32_t i = 0; i < place->n; i++) {
			uint32_t id = p->points.v[place->first + i].frame.symbol;

			if (symbol_matches(&set->symbols.v[id], pattern))
				return true;
		}
	}
	return false;
}

static bool is_wanted_sample(const struct wp_frame_filter *filter, const struct wp_sample *sample)
{
	if (filter->event != WP_ALL_EVENTS && filter->event != sample->record->sample.event)
		return false;
	return !filter->gil_only || sample->thread & WP_PYTHON_GIL_HELD;
}

enum wp_frames_found wp_frame_places_find(struct wp_frame_places *p, struct wp_resolver *resolver,
					  const struct wp_frame_filter *filter,
					  const struct wp_sample *sample)
{
	if (!is_wanted_sample(filter, sample))
		return WP_FRAMES_FILTERED;
	if (!find_frame_places(p, resolver, sample))
		return WP_FRAMES_NO_ROOM;
	if (filter->symbol && !some_matches(p, resolver, filter->symbol))
		return WP_FRAMES_FILTERED;
	return WP_FRAMES_FOUND;
}

struct wp_err *wp_frame_filter_parse(const struct wp_sampling *s, struct wp_frame_filter *ret)
{
	const struct wp_event_set *events = wp_sampling_shown(s);
	const char *name = s->options->report.event;
	wp_autostr struct wp_str all = {0};

	*ret = (struct wp_frame_filter){
		.event = WP_ALL_EVENTS,
		.symbol = s->options->tables.symbol_filter,
		.gil_only = s->options->sampling.gil,
	};
	for (uint32_t i = 0; name && i < events->events.n; i++) {
		const char *event = events->events.v[i].name;

		wp_str_printf(&all, "%s%s", i ? ", " : "", event);
		if (strcmp(event, name) != 0)
			continue;
		ret->event = i;
		return NULL;
	}
	if (!name)
		return NULL;
	return wp_err_new(WP_ERR_USAGE, "--event %s: the recording has no such event: want %s",
			  name, all.s);
}

void wp_frame_places_deinit(struct wp_frame_places *p)
{
	wp_map_deinit(&p->place_of);
	wp_vec_deinit(&p->places);
	wp_vec_deinit(&p->points);
	wp_vec_deinit(&p->at);
}
