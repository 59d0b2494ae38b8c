/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_speedscope: what speedscope.app opens, in its own format (JSON, its schema of version
 * 1.25: https://www.speedscope.app/file-format-schema.json).
 *
 * A "sampled" profile for each event on each thread. Frames are functions, with the file and line
 * of their definition, so that the sandwich view adds up by function; lines that ran are not in it.
 * Equal stacks behind one another are one sample: nothing that speedscope shows is lost by that.
 */
#include "view/view.h"

#include "view/export/export_funcs.h"
#include "view/export/export_tracks.h"
#include "view/json_text.h"

struct state {
	const struct wp_profile *profile;
	struct wp_export_funcs funcs;
	struct wp_export_tracks tracks;
	WP_VEC(uint32_t) path; /* functions of a stack, innermost first */
	struct wp_writer *out;
};

/* One sample of the output: a stack that went on for some weight. */
struct run {
	uint32_t stack;
	uint64_t weight;
};

static void put_speedscope_frame(struct state *s, const struct wp_export_func *func)
{
	const char *file = func->file;

	if (!file && func->module != WP_NO_MODULE)
		file = s->profile->modules.v[func->module].path;
	wp_writer_puts(s->out, "{\"name\":");
	wp_json_string(s->out, func->name);
	if (file) {
		wp_writer_puts(s->out, ",\"file\":");
		wp_json_string(s->out, file);
	}
	if (func->file && func->line) {
		wp_writer_puts(s->out, ",\"line\":");
		wp_json_u64(s->out, func->line);
	}
	wp_writer_puts(s->out, "}");
}

static void put_speedscope_frames(struct state *s)
{
	bool any = false;

	wp_vec_each (struct wp_export_func, func, &s->funcs.funcs) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, "\n");
		put_speedscope_frame(s, func);
	}
}

static void put_stack(struct state *s, uint32_t stack)
{
	s->path.n = 0;
	for (uint32_t at = stack; at != WP_NO_STACK; at = s->profile->stacks.v[at].caller)
		wp_vec_push(&s->path, s->funcs.of_frame[s->profile->stacks.v[at].frame]);
	wp_writer_puts(s->out, "[");
	for (size_t i = s->path.n; i > 0; i--) {
		wp_json_u64(s->out, s->path.v[i - 1]);
		if (i > 1)
			wp_writer_puts(s->out, ",");
	}
	wp_writer_puts(s->out, "]");
}

/* The run of equal stacks that begins at *at of the track's samples; *at goes behind it. */
static struct run next_run(const struct state *s, const struct wp_export_track *track, size_t *at)
{
	const uint32_t *samples = s->tracks.samples + track->first;
	struct run run = {.stack = s->profile->samples.v[samples[*at]].stack};

	for (; *at < track->n; ++*at) {
		const struct wp_profile_sample *sample = &s->profile->samples.v[samples[*at]];

		if (sample->stack != run.stack)
			break;
		run.weight += sample->weight;
	}
	return run;
}

static void put_speedscope_samples(struct state *s, const struct wp_export_track *track)
{
	bool any = false;

	wp_writer_puts(s->out, "\"samples\":[");
	for (size_t at = 0; at < track->n;) {
		wp_json_comma(s->out, &any);
		put_stack(s, next_run(s, track, &at).stack);
	}
	any = false;
	wp_writer_puts(s->out, "],\n\"weights\":[");
	for (size_t at = 0; at < track->n;) {
		wp_json_comma(s->out, &any);
		wp_json_u64(s->out, next_run(s, track, &at).weight);
	}
	wp_writer_puts(s->out, "]");
}

static void put_track_name(struct state *s, const struct wp_export_track *track)
{
	const struct wp_profile_thread *thread = &s->profile->threads.v[track->thread];
	wp_autostr struct wp_str name = {0};

	wp_export_track_name(&name, s->profile, track);
	wp_str_printf(&name, " %d/%d", (int)thread->pid, (int)thread->tid);
	wp_json_string(s->out, name.s);
}

static void put_track_profile(struct state *s, const struct wp_export_track *track)
{
	const struct wp_profile_event *event = &s->profile->events.v[track->event];
	const char *unit = event->unit ? event->unit : event->is_time ? "nanoseconds" : "none";

	wp_writer_puts(s->out, "{\"type\":\"sampled\",\"name\":");
	put_track_name(s, track);
	wp_writer_printf(s->out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":", unit);
	wp_json_u64(s->out, track->weight);
	wp_writer_puts(s->out, ",\n");
	put_speedscope_samples(s, track);
	wp_writer_puts(s->out, "}");
}

static void put_profiles(struct state *s)
{
	bool any = false;

	wp_vec_each (struct wp_export_track, track, &s->tracks.tracks) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, "\n");
		put_track_profile(s, track);
	}
}

static void put_file(struct state *s)
{
	const char *command = s->profile->command;

	wp_writer_puts(s->out,
		       "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		       "\"exporter\":\"wperf\",\n\"name\":");
	wp_json_string(s->out, *command ? command : "wperf");
	wp_writer_puts(s->out, ",\n\"activeProfileIndex\":");
	wp_json_u64(s->out, wp_export_tracks_main(&s->tracks));
	wp_writer_puts(s->out, ",\n\"shared\":{\"frames\":[");
	put_speedscope_frames(s);
	wp_writer_puts(s->out, "]},\n\"profiles\":[");
	put_profiles(s);
	wp_writer_puts(s->out, "]}\n");
}

static void render_speedscope(const struct wp_profile *profile, struct wp_writer *out)
{
	struct state s = {.profile = profile, .out = out};

	wp_export_funcs_init(&s.funcs, profile);
	wp_export_tracks_init(&s.tracks, profile);
	put_file(&s);
	wp_vec_deinit(&s.path);
	wp_export_tracks_deinit(&s.tracks);
	wp_export_funcs_deinit(&s.funcs);
}

const struct wp_export_ops wp_export_speedscope = {
	.name = "speedscope",
	.suffix = ".speedscope.json",
	.text = "speedscope.app: each thread over time, by stack and by function",
	.render = render_speedscope,
};
