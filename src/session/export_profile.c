/* export_profile: see export_profile.h. */
#include "session/export_profile.h"

#include "aggregate/hot_rows.h"
#include "base/str.h"
#include "source/recording.h"

#include <string.h>

#define PLACES_MAX (1u << 21)
#define NO_PLACE   UINT32_MAX

static uint64_t hash_of(const struct wp_recorded_frame *frame)
{
	return frame->rva.v ^ (uint64_t)frame->symbol << 40 ^ (uint64_t)frame->line << 20;
}

/* A function, and where in it; false when the filter is for another one. */
static void push_point(struct wp_export_profile *e, const struct wp_symbol_set *set,
		       const struct wp_profile_frame *frame)
{
	const struct wp_symbol *symbol = &set->symbols.v[frame->symbol];
	struct wp_export_point point = {.frame = *frame};

	point.matches =
		!e->symbol_filter ||
		(symbol->name && (symbol->kind == WP_SYMBOL_PYTHON
					  ? wp_hot_matches_qualified(symbol->name, e->symbol_filter)
					  : wp_hot_matches(symbol->name, e->symbol_filter)));
	wp_vec_push(&e->points, point);
}

/* Each function runs the line where the next one was called, the innermost one that of the address.
 */
static void push_lines(struct wp_export_profile *e, struct wp_sampling *s,
		       struct wp_profile_frame frame, uint32_t module)
{
	struct wp_resolver_inline inlined[WP_RESOLVER_INLINES];
	size_t n = wp_resolver_inlines(s->resolver, module, frame.rva, inlined);
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	struct wp_resolver_line line = {0};

	frame.first_line = wp_resolver_function_line(s->resolver, module, frame.rva);
	for (size_t i = 0; i < n; i++) {
		frame.file = inlined[i].call.file;
		frame.line = inlined[i].call.line;
		push_point(e, set, &frame);
		frame.symbol = inlined[i].symbol;
		frame.first_line = inlined[i].first_line;
	}
	if (!wp_resolver_line(s->resolver, module, frame.rva, &line))
		line = (struct wp_resolver_line){0};
	frame.file = line.file;
	frame.line = line.line;
	push_point(e, set, &frame);
}

static void push_points(struct wp_export_profile *e, struct wp_sampling *s,
			const struct wp_recorded_frame *at)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	const struct wp_symbol *symbol = &set->symbols.v[at->symbol];
	struct wp_profile_frame frame = {.symbol = at->symbol, .rva = at->rva};

	if (symbol->kind == WP_SYMBOL_PYTHON && symbol->module != WP_NO_MODULE) {
		frame.file = set->modules.v[symbol->module].path;
		frame.line = at->line;
		frame.first_line = symbol->line;
	}
	if (symbol->kind == WP_SYMBOL_NATIVE && symbol->module != WP_NO_MODULE && at->rva.v)
		push_lines(e, s, frame, symbol->module);
	else
		push_point(e, set, &frame);
}

/* The place of a frame, made when it is new; NO_PLACE when there are too many. */
static uint32_t place_of(struct wp_export_profile *e, struct wp_sampling *s,
			 const struct wp_recorded_frame *frame)
{
	uint64_t *head = wp_map_put(&e->place_of, hash_of(frame));
	struct wp_export_place place = {frame->symbol, frame->line, frame->rva};

	for (uint32_t at = (uint32_t)*head; at; at = e->places.v[at - 1].next) {
		const struct wp_export_place *known = &e->places.v[at - 1];

		if (known->symbol == frame->symbol && known->line == frame->line &&
		    known->rva.v == frame->rva.v)
			return at - 1;
	}
	if (e->places.n >= PLACES_MAX)
		return NO_PLACE;
	place.next = (uint32_t)*head;
	place.first = (uint32_t)e->points.n;
	push_points(e, s, frame);
	place.n = (uint32_t)e->points.n - place.first;
	wp_vec_push(&e->places, place);
	*head = e->places.n;
	return (uint32_t)(e->places.n - 1);
}

/* The places of recorded.stack: e->at. False when one finds no room. */
static bool find_places(struct wp_export_profile *e, struct wp_sampling *s)
{
	e->at.n = 0;
	wp_vec_each (struct wp_recorded_frame, frame, &s->recorded.stack.frames) {
		uint32_t place = place_of(e, s, frame);

		if (place == NO_PLACE)
			return false;
		wp_vec_push(&e->at, place);
	}
	return true;
}

static bool matches(const struct wp_export_profile *e)
{
	if (!e->symbol_filter)
		return true;
	wp_vec_each (uint32_t, at, &e->at)
		for (uint32_t i = 0; i < e->places.v[*at].n; i++)
			if (e->points.v[e->places.v[*at].first + i].matches)
				return true;
	return false;
}

static uint32_t add_point(struct wp_export_profile *e, uint32_t caller,
			  struct wp_export_point *point)
{
	if (!point->id)
		point->id = wp_profile_add_frame(&e->builder, &point->frame) + 1;
	return wp_profile_add_stack(&e->builder, caller, point->id - 1);
}

/* The stack of e->at; false when it finds no room. */
static bool add_stack(struct wp_export_profile *e, uint32_t *ret)
{
	uint32_t stack = WP_NO_STACK;

	for (size_t i = e->at.n; i-- > 0;) {
		const struct wp_export_place *place = &e->places.v[e->at.v[i]];

		for (uint32_t j = 0; j < place->n; j++) {
			stack = add_point(e, stack, &e->points.v[place->first + j]);
			if (stack == WP_NO_STACK)
				return false;
		}
	}
	*ret = stack;
	return true;
}

static bool wanted(const struct wp_export_profile *e, const struct wp_record *sample)
{
	const struct wp_stack_note *note = sample->sample.stack ? sample->sample.stack->note : NULL;

	if (e->event != WP_EXPORT_ALL_EVENTS && e->event != sample->sample.event)
		return false;
	return !e->gil_only || (note && note->thread & WP_PYTHON_GIL_HELD);
}

void wp_export_profile_take(void *arg, struct wp_sampling *s, const struct wp_record *sample)
{
	const struct wp_thread_names *names = &s->python.threads;
	struct wp_export_profile *e = arg;
	struct wp_profile_sample add = {
		.time_ns = sample->time_ns,
		.weight = sample->sample.period,
		.event = e->event == WP_EXPORT_ALL_EVENTS ? sample->sample.event : 0,
		.cpu = sample->cpu,
	};

	if (!wanted(e, sample))
		return;
	wp_sampling_recorded_stack(s, sample);
	if (!find_places(e, s)) {
		e->builder.left_out++;
		return;
	}
	if (!matches(e))
		return;
	if (!add_stack(e, &add.stack)) {
		e->builder.left_out++;
		return;
	}
	add.thread = wp_profile_add_thread(&e->builder, sample->pid, sample->tid,
					   wp_thread_names_get(names, sample->tid),
					   wp_thread_names_get(names, sample->pid));
	wp_profile_add_sample(&e->builder, &add);
}

static const char *hex(struct wp_arena *arena, const uint8_t *bytes, size_t n)
{
	char *text = wp_arena_alloc(arena, 2 * n + 1);

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return text;
}

static void identify_modules(struct wp_export_profile *e, struct wp_sampling *s)
{
	const struct wp_sampling_recorded *recorded = &s->recorded;
	uint8_t id[WP_RESOLVER_BUILD_ID];

	for (size_t i = 0; i < e->builder.set_modules.n; i++) {
		struct wp_profile_module *module = &e->builder.profile.modules.v[i];
		size_t n = wp_resolver_build_id(s->resolver, e->builder.set_modules.v[i], id);

		if (n)
			module->build_id = hex(&e->arena, id, n);
		else if (strcmp(module->name, "[kernel]") == 0)
			module->build_id =
				hex(&e->arena, recorded->kernel_id, recorded->kernel_id_len);
	}
}

static void name_events(struct wp_export_profile *e, const struct wp_event_set *set)
{
	for (uint32_t i = 0; i < set->events.n; i++)
		if (e->event == WP_EXPORT_ALL_EVENTS || e->event == i)
			wp_vec_push(&e->builder.profile.events,
				    (struct wp_profile_event){set->events.v[i].name,
							      set->events.v[i].is_clock});
}

const struct wp_profile *wp_export_profile_finish(struct wp_export_profile *e,
						  struct wp_sampling *s)
{
	const struct wp_recording_head *head = wp_recording_head(s->source);
	struct wp_profile *profile = &e->builder.profile;

	profile->command = head->command ? head->command : "";
	profile->host = head->host ? head->host : "";
	profile->arch = head->arm64 ? "aarch64" : "x86_64";
	profile->lost = s->lost + e->builder.left_out;
	name_events(e, &s->events);
	wp_profile_finish(&e->builder, wp_resolver_symbols(s->resolver));
	profile->start_unix_ns = wp_recording_unix_ns(s->source, e->builder.first_ns);
	identify_modules(e, s);
	return profile;
}

void wp_export_profile_deinit(struct wp_export_profile *e)
{
	wp_profile_builder_deinit(&e->builder);
	wp_map_deinit(&e->place_of);
	wp_vec_deinit(&e->places);
	wp_vec_deinit(&e->points);
	wp_vec_deinit(&e->at);
	wp_arena_deinit(&e->arena);
}
