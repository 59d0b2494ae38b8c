/* SPDX-License-Identifier: BSD-3-Clause */
/* export_profile: see export_profile.h. */
#include "session/recorded/export_profile.h"

#include "aggregate/profile_measures.h"
#include "core/waker.h"
#include "resolve/find/windows_path.h"
#include "recording/recording.h"

#include <string.h>

static uint32_t add_point(struct wp_export_profile *e, uint32_t caller,
			  struct wp_frame_point *point)
{
	if (!point->owner)
		point->owner = wp_profile_add_frame(&e->builder, &point->frame) + 1;
	return wp_profile_add_stack(&e->builder, caller, point->owner - 1);
}

/* The stack of places.at; false when it finds no room. */
static bool add_stack(struct wp_export_profile *e, uint32_t *ret)
{
	uint32_t stack = WP_NO_STACK;

	for (size_t i = e->places.at.n; i-- > 0;) {
		const struct wp_frame_place *place = &e->places.places.v[e->places.at.v[i]];

		for (uint32_t j = 0; j < place->n; j++) {
			stack = add_point(e, stack, &e->places.points.v[place->first + j]);
			if (stack == WP_NO_STACK)
				return false;
		}
	}
	*ret = stack;
	return true;
}

/* Who woke a thread did so before that ran. */
static void take_wake(const struct wp_record_sample *sample, struct wp_profile_sample *add)
{
	struct wp_waker_payload waker;
	struct wp_wait_payload wait;

	if (wp_waker_read(sample, &waker)) {
		add->wake = waker.wake;
		add->time_ns -= waker.delay_ns < add->time_ns ? waker.delay_ns : 0;
	} else if (wp_wait_read_all(sample, &wait)) {
		add->wake = wait.wake;
	}
}

static void profile_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_export_profile *e = (struct wp_export_profile *)sink;
	const struct wp_thread_names *names = &e->s->python.threads;
	const struct wp_record *record = sample->record;
	enum wp_frames_found found =
		wp_frame_places_find(&e->places, e->s->resolver, &e->filter, sample);
	struct wp_profile_sample add = {
		.time_ns = record->time_ns,
		.weight = record->sample.period,
		.event = e->filter.event == WP_ALL_EVENTS ? record->sample.event : 0,
		.cpu = record->cpu,
	};

	if (found == WP_FRAMES_FILTERED)
		return;
	take_wake(&record->sample, &add);
	wp_profile_take_access(record->sample.data, &add);
	if (found == WP_FRAMES_NO_ROOM || !add_stack(e, &add.stack)) {
		e->builder.left_out++;
		return;
	}
	add.thread = wp_profile_add_thread(&e->builder, record->pid, record->tid,
					   wp_thread_names_get(names, record->tid),
					   wp_thread_names_comm(names, record->pid));
	wp_profile_add_sample(&e->builder, &add);
}

void wp_export_profile_attach(struct wp_export_profile *e, struct wp_sampling *s)
{
	static const struct wp_sink_ops ops = {.sample = profile_sample};

	e->s = s;
	e->sink = (struct wp_sink){.ops = &ops,
				   .wants = WP_SAMPLE_STACK | WP_SAMPLE_PAYLOAD | WP_SAMPLE_DATA};
	wp_sampling_attach(s, &e->sink);
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

/* GNU's linker gives images an id without the name of a PDB. */
static bool take_pdb_id(struct wp_profile_module *module, struct wp_resolver *resolver,
			uint32_t number)
{
	const char *path, *id = wp_resolver_pdb_id(resolver, number, &path);

	if (!id)
		return false;
	module->build_id = id;
	module->pdb_name = *path ? wp_windows_path_name(path) : module->name;
	module->pdb_path = *path ? path : module->path;
	return true;
}

static void identify_modules(struct wp_export_profile *e)
{
	const struct wp_sampling_recorded *recorded = &e->s->recorded;
	uint8_t id[WP_RESOLVER_BUILD_ID];

	for (size_t i = 0; i < e->builder.set_modules.n; i++) {
		struct wp_profile_module *module = &e->builder.profile.modules.v[i];
		uint32_t number = e->builder.set_modules.v[i];
		size_t n = wp_resolver_build_id(e->s->resolver, number, id);

		if (take_pdb_id(module, e->s->resolver, number))
			continue;
		if (n)
			module->build_id = hex(&e->arena, id, n);
		else if (strcmp(module->name, "[kernel]") == 0)
			module->build_id =
				hex(&e->arena, recorded->kernel_id, recorded->kernel_id_len);
	}
}

static void name_events(struct wp_export_profile *e, const struct wp_event_set *set)
{
	for (uint32_t i = 0; i < set->events.n; i++) {
		const struct wp_event *event = &set->events.v[i];
		struct wp_profile_event add = {
			.name = event->name,
			.is_time = wp_event_is_time(event),
			.unit = wp_event_weight_unit(event),
			.waits = wp_event_is_time(event) && !event->is_clock,
		};

		if (e->filter.event == WP_ALL_EVENTS || e->filter.event == i)
			wp_vec_push(&e->builder.profile.events, add);
	}
}

const struct wp_profile *wp_export_profile_finish(struct wp_export_profile *e)
{
	struct wp_sampling *s = e->s;
	const struct wp_recording_head *head = wp_recording_head(s->source);
	struct wp_profile *profile = &e->builder.profile;

	profile->command = head->command ? head->command : "";
	profile->host = head->host ? head->host : "";
	profile->arch = head->arch;
	profile->lost = s->lost + e->builder.left_out;
	name_events(e, wp_sampling_shown(s));
	wp_profile_find_measures(profile, &e->arena);
	wp_profile_finish(&e->builder, wp_resolver_symbols(s->resolver));
	profile->start_unix_ns = wp_recording_unix_ns(s->source, e->builder.first_ns);
	identify_modules(e);
	wp_profile_keep_frames(profile, e->keep);
	if (s->options->exports.lines)
		wp_profile_split_lines(profile);
	return profile;
}

void wp_export_profile_deinit(struct wp_export_profile *e)
{
	wp_profile_builder_deinit(&e->builder);
	wp_frame_places_deinit(&e->places);
	wp_arena_deinit(&e->arena);
}
