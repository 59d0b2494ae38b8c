/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_gecko: what profiler.firefox.com opens: its "processed profile" (JSON), version 60, the
 * first one whose tables of stacks, frames and functions are shared by all threads, as ours are.
 *
 * A thread for each event on each thread. Weights are milliseconds for time events, else events.
 * Samples there have one weight, so that each measure (latency, who answered) is a further thread.
 * Python functions count as scripts there, so that its filter "Scripts" shows the Python stack
 * alone. Spec: docs-developer/CHANGELOG-formats.md and src/types/profile.ts of the profiler.
 */
#include "view/view.h"

#include "view/export/export_funcs.h"
#include "view/export/export_tracks.h"
#include "view/export/gecko_tables.h"
#include "view/json_text.h"

#include <ctype.h>
#include <string.h>

#define VERSION	      60
#define GECKO_VERSION 32 /* of what Firefox itself would have written then */
#define NS_PER_MS     1000000.0

struct state {
	const struct wp_profile *profile;
	struct wp_export_funcs funcs;
	struct wp_export_tracks tracks;
	WP_VEC(uint32_t) measured; /* samples of the row at hand */
	struct wp_writer *out;
};

/* What the profiler calls a thread: a track, or what is measured of it. */
struct row {
	const struct wp_export_track *track;
	const struct wp_profile_measure *measure; /* NULL: its event */
	const uint32_t *samples;
	size_t n;
};

/*
 * Indexes are those of enum wp_symbol_kind + 1; colours are about those of flame graphs. The grey
 * one is the default and must be there.
 */
static const char categories[] =
	"[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Native\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"red\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Python\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Inlined\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]}]";

/*
 * A build-id as Breakpad and Firefox's symbol servers have it: its first 16 bytes as a GUID, whose
 * first three fields are in the other byte order, and the age 0. Short ones are filled with zeros.
 */
static void put_breakpad_id(const struct state *s, const char *build_id)
{
	static const unsigned int order[16] = {3, 2, 1,	 0,  5,	 4,  7,	 6,
					       8, 9, 10, 11, 12, 13, 14, 15};
	size_t length = strlen(build_id);

	wp_writer_puts(s->out, "\"");
	for (size_t i = 0; length && i < WP_ARRAY_LEN(order); i++)
		for (size_t at = order[i] * 2; at < order[i] * 2 + 2; at++) {
			char digit = at < length ? (char)toupper((unsigned char)build_id[at]) : '0';

			wp_writer_put(s->out, isxdigit((unsigned char)digit) ? &digit : "0", 1);
		}
	wp_writer_puts(s->out, length ? "0\"" : "\"");
}

static void put_member(const struct state *s, const char *name, const char *value)
{
	wp_writer_printf(s->out, ",\"%s\":", name);
	wp_json_string(s->out, value);
}

static void put_lib(const struct state *s, const struct wp_profile_module *module)
{
	wp_writer_puts(s->out, "{\"breakpadId\":");
	if (module->pdb_name)
		wp_json_string(s->out, module->build_id);
	else
		put_breakpad_id(s, module->build_id);
	put_member(s, "arch", s->profile->arch);
	put_member(s, "name", module->name);
	put_member(s, "path", module->path);
	put_member(s, "debugName", module->pdb_name ? module->pdb_name : module->name);
	put_member(s, "debugPath", module->pdb_name ? module->pdb_path : module->path);
	if (*module->build_id && !module->pdb_name)
		put_member(s, "codeId", module->build_id);
	else
		wp_writer_puts(s->out, ",\"codeId\":null");
	wp_writer_puts(s->out, "}");
}

static void put_libs(const struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, "\"libs\":[");
	wp_vec_each (uint32_t, lib, &s->funcs.libs) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, "\n");
		put_lib(s, &s->profile->modules.v[*lib]);
	}
	wp_writer_puts(s->out, "],\n");
}

static const struct wp_profile_sample *sample_of_row(const struct state *s, const struct row *row,
						     size_t i)
{
	return &s->profile->samples.v[row->samples[i]];
}

static void put_gecko_times(const struct state *s, const struct row *row)
{
	bool any = false;

	wp_writer_puts(s->out, ",\n\"time\":[");
	for (size_t i = 0; i < row->n; i++) {
		wp_json_comma(s->out, &any);
		wp_json_ns(s->out, sample_of_row(s, row, i)->time_ns, 6);
	}
	wp_writer_puts(s->out, "]");
}

static void put_sample_stacks(const struct state *s, const struct row *row)
{
	bool any = false;

	wp_writer_puts(s->out, ",\n\"stack\":[");
	for (size_t i = 0; i < row->n; i++) {
		uint32_t stack = sample_of_row(s, row, i)->stack;

		wp_json_comma(s->out, &any);
		if (stack == WP_NO_STACK)
			wp_writer_puts(s->out, "null");
		else
			wp_json_u64(s->out, stack);
	}
	wp_writer_puts(s->out, "]");
}

static uint64_t weight_of_sample(const struct row *row, const struct wp_profile_sample *sample)
{
	return row->measure ? wp_profile_measured(row->measure, sample) : sample->weight;
}

/* Nanoseconds in units of 10^digits. */
static void put_weights(const struct state *s, const struct row *row, const char *name,
			unsigned int digits)
{
	bool any = false;

	wp_writer_printf(s->out, ",\n\"%s\":[", name);
	for (size_t i = 0; i < row->n; i++) {
		wp_json_comma(s->out, &any);
		wp_json_ns(s->out, weight_of_sample(row, sample_of_row(s, row, i)), digits);
	}
	wp_writer_puts(s->out, "]");
}

/* Time on a CPU is what the graph of a thread shows. */
static void put_gecko_samples(const struct state *s, const struct row *row)
{
	const struct wp_profile_event *event = &s->profile->events.v[row->track->event];
	bool is_time = event->is_time && !row->measure;

	wp_writer_printf(s->out, ",\n\"samples\":{\"length\":%zu", row->n);
	put_sample_stacks(s, row);
	put_gecko_times(s, row);
	put_weights(s, row, "weight", is_time ? 6 : 0);
	if (is_time && !event->waits)
		put_weights(s, row, "threadCPUDelta", 0);
	wp_writer_printf(s->out, ",\"weightType\":\"%s\"", is_time ? "tracing-ms" : "samples");
	wp_writer_puts(s->out, "}");
}

/* Threads are told apart by their tid: those of further events have the event's name in it. */
static void put_tid(const struct state *s, const struct row *row)
{
	uint32_t tid = s->profile->threads.v[row->track->thread].tid;
	wp_autofree char *text = NULL;

	if (row->track->event == 0 && !row->measure) {
		wp_json_u64(s->out, tid);
		return;
	}
	text = wp_asprintf("%u %s", tid,
			   row->measure ? row->measure->name
					: s->profile->events.v[row->track->event].name);
	wp_json_string(s->out, text);
}

static void name_row(const struct state *s, const struct row *row, struct wp_str *name)
{
	if (!row->measure) {
		wp_export_track_name(name, s->profile, row->track);
		return;
	}
	wp_export_thread_name(name, &s->profile->threads.v[row->track->thread]);
	wp_str_printf(name, " (%s%s)", row->measure->name, row->measure->level ? "" : " in cycles");
}

static void put_thread_head(const struct state *s, const struct row *row)
{
	const struct wp_profile_thread *thread = &s->profile->threads.v[row->track->thread];
	wp_autostr struct wp_str name = {0}, process = {0};
	bool is_main = thread->pid == thread->tid && row->track->event == 0 && !row->measure;

	name_row(s, row, &name);
	wp_export_process_name(&process, thread);
	wp_writer_puts(s->out, "{\"processType\":\"default\",\"processStartupTime\":0,"
			       "\"processShutdownTime\":null,\"registerTime\":");
	wp_json_ns(s->out, thread->first_ns, 6);
	wp_writer_puts(s->out, ",\"unregisterTime\":");
	wp_json_ns(s->out, thread->last_ns, 6);
	wp_writer_printf(s->out, ",\"pausedRanges\":[],\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":",
			 is_main ? "true" : "false", thread->pid);
	put_tid(s, row);
	put_member(s, "name", name.s);
	put_member(s, "processName", process.s);
}

static void put_row(const struct state *s, const struct row *row, bool *any)
{
	wp_json_comma(s->out, any);
	wp_writer_puts(s->out, "\n");
	put_thread_head(s, row);
	wp_writer_puts(s->out, ",\n\"markers\":{\"length\":0,\"data\":[],\"name\":[],"
			       "\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]}");
	put_gecko_samples(s, row);
	wp_writer_puts(s->out, "}");
}

/* The samples of a track that have some of it, if any. */
static void put_measured_row(struct state *s, const struct wp_export_track *track,
			     const struct wp_profile_measure *measure, bool *any)
{
	s->measured.n = 0;
	for (size_t i = 0; i < track->n; i++) {
		uint32_t sample = s->tracks.samples[track->first + i];

		if (wp_profile_measured(measure, &s->profile->samples.v[sample]))
			wp_vec_push(&s->measured, sample);
	}
	if (s->measured.n)
		put_row(s, &(struct row){track, measure, s->measured.v, s->measured.n}, any);
}

/* Events first: initialSelectedThreads counts on it. */
static void put_gecko_threads(struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, "\"threads\":[");
	wp_vec_each (struct wp_export_track, track, &s->tracks.tracks)
		put_row(s, &(struct row){track, NULL, s->tracks.samples + track->first, track->n},
			&any);
	wp_vec_each (struct wp_export_track, track, &s->tracks.tracks)
		wp_vec_each (struct wp_profile_measure, measure, &s->profile->measures)
			if (measure->event == track->event)
				put_measured_row(s, track, measure, &any);
	wp_writer_puts(s->out, "]");
}

static uint64_t track_span_ns(const struct state *s, const struct wp_export_track *track)
{
	const uint32_t *samples = s->tracks.samples + track->first;

	return s->profile->samples.v[samples[track->n - 1]].time_ns -
	       s->profile->samples.v[samples[0]].time_ns;
}

/* How far samples of the main track are apart, in ms: the width of a sample in the graphs. */
static double interval_ms(const struct state *s)
{
	const struct wp_export_track *track;
	uint64_t passed_ns;

	if (!s->tracks.tracks.n)
		return 1;
	track = &s->tracks.tracks.v[wp_export_tracks_main(&s->tracks)];
	if (s->profile->events.v[track->event].is_time)
		passed_ns = track->weight / track->n;
	else
		passed_ns = track_span_ns(s, track) / track->n;
	return passed_ns ? (double)passed_ns / NS_PER_MS : 1;
}

static void put_meta(const struct state *s)
{
	const struct wp_profile *profile = s->profile;
	const char *command = profile->command;

	wp_writer_printf(s->out,
			 "\"meta\":{\"version\":%d,\"preprocessedProfileVersion\":%d,"
			 "\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
			 "\"interval\":%g,\"startTime\":",
			 GECKO_VERSION, VERSION, interval_ms(s));
	wp_json_ns(s->out, profile->start_unix_ns, 6);
	put_member(s, "product", *command ? command : "wperf");
	put_member(s, "importedFrom", "wperf");
	put_member(s, "platform", "Linux");
	put_member(s, "oscpu", profile->arch);
	put_member(s, "device", profile->host);
	wp_writer_puts(
		s->out,
		",\n\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":"
		"\"ns\"},\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,"
		"\"initialSelectedThreads\":[");
	if (s->tracks.tracks.n)
		wp_json_u64(s->out, wp_export_tracks_main(&s->tracks));
	wp_writer_printf(s->out, "],\"markerSchema\":[],\n\"categories\":%s},\n", categories);
}

static void render_gecko(const struct wp_profile *profile, struct wp_writer *out)
{
	struct state s = {.profile = profile, .out = out};

	wp_export_funcs_init(&s.funcs, profile);
	wp_export_tracks_init(&s.tracks, profile);
	wp_writer_puts(out, "{");
	put_meta(&s);
	put_libs(&s);
	wp_writer_puts(out, "\"shared\":");
	wp_gecko_tables_put(profile, &s.funcs, out);
	wp_writer_puts(out, ",\n");
	put_gecko_threads(&s);
	wp_writer_puts(out, "}\n");
	wp_vec_deinit(&s.measured);
	wp_export_tracks_deinit(&s.tracks);
	wp_export_funcs_deinit(&s.funcs);
}

const struct wp_export_ops wp_export_gecko = {
	.name = "gecko",
	.suffix = ".gecko.json",
	.text = "profiler.firefox.com: call tree, flame graph and stacks over time",
	.render = render_gecko,
};
