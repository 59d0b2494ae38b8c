/*
 * export_gecko: what profiler.firefox.com opens: its "processed profile" (JSON), version 60, the
 * first one whose tables of stacks, frames and functions are shared by all threads, as ours are.
 *
 * A thread for each event on each thread. Weights are milliseconds for time events, else events.
 * Python functions count as scripts there, so that its filter "Scripts" shows the Python stack
 * alone. Spec: docs-developer/CHANGELOG-formats.md and src/types/profile.ts of the profiler.
 */
#include "view/view.h"

#include "base/strpool.h"
#include "view/export_funcs.h"
#include "view/export_tracks.h"
#include "view/json_text.h"

#include <ctype.h>
#include <string.h>

#define VERSION		 60
#define GECKO_VERSION	 32 /* of what Firefox itself would have written then */
#define RESOURCE_LIBRARY 1
#define NS_PER_MS	 1000000.0

struct state {
	const struct wp_profile *profile;
	struct wp_export_funcs funcs;
	struct wp_export_tracks tracks;
	struct wp_strpool strings;
	WP_VEC(uint32_t) sources; /* their names in strings */
	struct wp_map source_of;  /* string id -> index of sources + 1 */
	uint32_t *depths; /* of each frame: how many are inlined into one another up to it */
	struct wp_writer *out;
};

/* Indexes are those of enum wp_symbol_kind + 1; the grey one is the default and must be there. */
static const char categories[] =
	"[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Native\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"JIT\",\"color\":\"purple\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Python\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Inlined\",\"color\":\"lightblue\",\"subcategories\":[\"Other\"]}]";

static void put_number(struct wp_writer *out, int64_t number)
{
	if (number < 0)
		wp_writer_puts(out, "-");
	wp_json_u64(out, (uint64_t)(number < 0 ? -number : number));
}

/* A column of n cells: what cell(s, i) says, NONE: null. */
#define NONE INT64_MIN

static void put_column(struct state *s, const char *name, size_t n,
		       int64_t (*cell)(struct state *s, size_t i))
{
	bool any = false;

	wp_writer_printf(s->out, ",\n\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		int64_t number = cell(s, i);

		wp_json_comma(s->out, &any);
		if (number == NONE)
			wp_writer_puts(s->out, "null");
		else
			put_number(s->out, number);
	}
	wp_writer_puts(s->out, "]");
}

static void put_same(struct state *s, const char *name, size_t n, const char *cell)
{
	bool any = false;

	wp_writer_printf(s->out, ",\n\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, cell);
	}
	wp_writer_puts(s->out, "]");
}

static void open_table(struct state *s, const char *name, size_t n)
{
	wp_writer_printf(s->out, ",\n\"%s\":{\"length\":%zu", name, n);
}

static void close_table(struct state *s)
{
	wp_writer_puts(s->out, "}");
}

static const struct wp_profile_frame *frame_at(struct state *s, size_t i)
{
	return &s->profile->frames.v[i];
}

static int64_t stack_frame(struct state *s, size_t i)
{
	return s->profile->stacks.v[i].frame;
}

static int64_t stack_prefix(struct state *s, size_t i)
{
	uint32_t caller = s->profile->stacks.v[i].caller;

	return caller == WP_NO_STACK ? NONE : caller;
}

static void put_stacks(struct state *s)
{
	size_t n = s->profile->stacks.n;

	open_table(s, "stackTable", n);
	put_column(s, "frame", n, stack_frame);
	put_column(s, "prefix", n, stack_prefix);
	close_table(s);
}

/* JavaScript's numbers are exact up to 2^53: the top half of an address space is not said. */
static int64_t frame_address(struct state *s, size_t i)
{
	const struct wp_profile_frame *frame = frame_at(s, i);

	if (frame->kind == WP_SYMBOL_PYTHON || frame->module == WP_NO_MODULE || frame->rva.v >> 53)
		return -1;
	return (int64_t)frame->rva.v;
}

static int64_t frame_depth(struct state *s, size_t i)
{
	return s->depths[i];
}

static int64_t frame_category(struct state *s, size_t i)
{
	return (int64_t)frame_at(s, i)->kind + 1;
}

static int64_t frame_func(struct state *s, size_t i)
{
	return s->funcs.of_frame[i];
}

static int64_t frame_line(struct state *s, size_t i)
{
	uint32_t line = frame_at(s, i)->line;

	return line ? line : NONE;
}

static void put_frames(struct state *s)
{
	size_t n = s->profile->frames.n;

	open_table(s, "frameTable", n);
	put_column(s, "address", n, frame_address);
	put_column(s, "inlineDepth", n, frame_depth);
	put_column(s, "category", n, frame_category);
	put_same(s, "subcategory", n, "0");
	put_column(s, "func", n, frame_func);
	put_same(s, "nativeSymbol", n, "null");
	put_same(s, "innerWindowID", n, "0");
	put_column(s, "line", n, frame_line);
	put_same(s, "column", n, "null");
	close_table(s);
}

static const struct wp_export_func *func_at(struct state *s, size_t i)
{
	return &s->funcs.funcs.v[i];
}

/* Every string is in the pool before the tables are written; asking again gives the same id. */
static int64_t string_id(struct state *s, const char *text)
{
	return wp_strpool_id(&s->strings, text);
}

static int64_t func_name(struct state *s, size_t i)
{
	return string_id(s, func_at(s, i)->name);
}

/* Resources are the libraries. */
static int64_t func_resource(struct state *s, size_t i)
{
	const struct wp_export_func *func = func_at(s, i);

	if (func->kind == WP_SYMBOL_PYTHON || func->module == WP_NO_MODULE)
		return -1;
	return s->funcs.lib_of[func->module];
}

static int64_t func_source(struct state *s, size_t i)
{
	const struct wp_export_func *func = func_at(s, i);

	if (!func->file)
		return NONE;
	return (int64_t)*wp_map_get(&s->source_of, (uint64_t)string_id(s, func->file)) - 1;
}

static int64_t func_line(struct state *s, size_t i)
{
	const struct wp_export_func *func = func_at(s, i);

	return func->line ? func->line : NONE;
}

static void put_is_script(struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, ",\n\"isJS\":[");
	wp_vec_each (struct wp_export_func, func, &s->funcs.funcs) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, func->kind == WP_SYMBOL_PYTHON ? "true" : "false");
	}
	wp_writer_puts(s->out, "]");
}

static void put_funcs(struct state *s)
{
	size_t n = s->funcs.funcs.n;

	open_table(s, "funcTable", n);
	put_column(s, "name", n, func_name);
	put_is_script(s);
	put_same(s, "relevantForJS", n, "false");
	put_column(s, "resource", n, func_resource);
	put_column(s, "source", n, func_source);
	put_column(s, "lineNumber", n, func_line);
	put_same(s, "columnNumber", n, "null");
	close_table(s);
}

static int64_t itself(struct state *s, size_t i)
{
	(void)s;
	return (int64_t)i;
}

static int64_t library_name(struct state *s, size_t i)
{
	return string_id(s, s->profile->modules.v[s->funcs.libs.v[i]].name);
}

static int64_t library_type(struct state *s, size_t i)
{
	(void)s, (void)i;
	return RESOURCE_LIBRARY;
}

static void put_resources(struct state *s)
{
	size_t n = s->funcs.libs.n;

	open_table(s, "resourceTable", n);
	put_column(s, "lib", n, itself);
	put_column(s, "name", n, library_name);
	put_same(s, "host", n, "null");
	put_column(s, "type", n, library_type);
	close_table(s);
}

static int64_t source_name(struct state *s, size_t i)
{
	return s->sources.v[i];
}

static void put_sources(struct state *s)
{
	open_table(s, "sources", s->sources.n);
	put_same(s, "uuid", s->sources.n, "null");
	put_column(s, "filename", s->sources.n, source_name);
	close_table(s);
}

static void put_native_symbols(struct state *s)
{
	open_table(s, "nativeSymbols", 0);
	wp_writer_puts(s->out, ",\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]}");
}

static void put_strings(struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, "\"stringArray\":[");
	wp_vec_each (const char *, string, &s->strings.strings) {
		wp_json_comma(s->out, &any);
		wp_json_string(s->out, *string);
	}
	wp_writer_puts(s->out, "]");
}

/*
 * A build-id as Breakpad and Firefox's symbol servers have it: its first 16 bytes as a GUID, whose
 * first three fields are in the other byte order, and the age 0. Short ones are filled with zeros.
 */
static void put_breakpad_id(struct state *s, const char *build_id)
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

static void put_member(struct state *s, const char *name, const char *value)
{
	wp_writer_printf(s->out, ",\"%s\":", name);
	wp_json_string(s->out, value);
}

static void put_lib(struct state *s, const struct wp_profile_module *module)
{
	wp_writer_puts(s->out, "{\"breakpadId\":");
	put_breakpad_id(s, module->build_id);
	put_member(s, "arch", s->profile->arch);
	put_member(s, "name", module->name);
	put_member(s, "path", module->path);
	put_member(s, "debugName", module->name);
	put_member(s, "debugPath", module->path);
	if (*module->build_id)
		put_member(s, "codeId", module->build_id);
	else
		wp_writer_puts(s->out, ",\"codeId\":null");
	wp_writer_puts(s->out, "}");
}

static void put_libs(struct state *s)
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

static const struct wp_profile_sample *sample_at(struct state *s,
						 const struct wp_export_track *track, size_t i)
{
	return &s->profile->samples.v[s->tracks.samples[track->first + i]];
}

static void put_times(struct state *s, const struct wp_export_track *track)
{
	bool any = false;

	wp_writer_puts(s->out, ",\n\"time\":[");
	for (size_t i = 0; i < track->n; i++) {
		wp_json_comma(s->out, &any);
		wp_json_ns(s->out, sample_at(s, track, i)->time_ns, 6);
	}
	wp_writer_puts(s->out, "]");
}

static void put_sample_stacks(struct state *s, const struct wp_export_track *track)
{
	bool any = false;

	wp_writer_puts(s->out, ",\n\"stack\":[");
	for (size_t i = 0; i < track->n; i++) {
		uint32_t stack = sample_at(s, track, i)->stack;

		wp_json_comma(s->out, &any);
		if (stack == WP_NO_STACK)
			wp_writer_puts(s->out, "null");
		else
			wp_json_u64(s->out, stack);
	}
	wp_writer_puts(s->out, "]");
}

/* Nanoseconds in units of 10^digits. */
static void put_weights(struct state *s, const struct wp_export_track *track, const char *name,
			unsigned int digits)
{
	bool any = false;

	wp_writer_printf(s->out, ",\n\"%s\":[", name);
	for (size_t i = 0; i < track->n; i++) {
		wp_json_comma(s->out, &any);
		wp_json_ns(s->out, sample_at(s, track, i)->weight, digits);
	}
	wp_writer_puts(s->out, "]");
}

/* Time on a CPU is what the graph of a thread shows. */
static void put_samples(struct state *s, const struct wp_export_track *track)
{
	bool is_time = s->profile->events.v[track->event].is_time;

	open_table(s, "samples", track->n);
	put_sample_stacks(s, track);
	put_times(s, track);
	put_weights(s, track, "weight", is_time ? 6 : 0);
	if (is_time)
		put_weights(s, track, "threadCPUDelta", 0);
	wp_writer_printf(s->out, ",\"weightType\":\"%s\"", is_time ? "tracing-ms" : "samples");
	close_table(s);
}

/* Threads are told apart by their tid: those of further events have the event's name in it. */
static void put_tid(struct state *s, const struct wp_export_track *track)
{
	uint32_t tid = s->profile->threads.v[track->thread].tid;
	wp_autofree char *text = NULL;

	if (track->event == 0) {
		wp_json_u64(s->out, tid);
		return;
	}
	text = wp_asprintf("%u %s", tid, s->profile->events.v[track->event].name);
	wp_json_string(s->out, text);
}

static void put_thread_head(struct state *s, const struct wp_export_track *track)
{
	const struct wp_profile_thread *thread = &s->profile->threads.v[track->thread];
	wp_autostr struct wp_str name = {0}, process = {0};

	wp_export_track_name(&name, s->profile, track);
	wp_export_process_name(&process, thread);
	wp_writer_puts(s->out, "{\"processType\":\"default\",\"processStartupTime\":0,"
			       "\"processShutdownTime\":null,\"registerTime\":");
	wp_json_ns(s->out, thread->first_ns, 6);
	wp_writer_puts(s->out, ",\"unregisterTime\":");
	wp_json_ns(s->out, thread->last_ns, 6);
	wp_writer_printf(s->out, ",\"pausedRanges\":[],\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":",
			 thread->pid == thread->tid && track->event == 0 ? "true" : "false",
			 thread->pid);
	put_tid(s, track);
	put_member(s, "name", name.s);
	put_member(s, "processName", process.s);
}

static void put_thread(struct state *s, const struct wp_export_track *track)
{
	put_thread_head(s, track);
	wp_writer_puts(s->out, ",\n\"markers\":{\"length\":0,\"data\":[],\"name\":[],"
			       "\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]}");
	put_samples(s, track);
	wp_writer_puts(s->out, "}");
}

static void put_threads(struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, "\"threads\":[");
	wp_vec_each (struct wp_export_track, track, &s->tracks.tracks) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, "\n");
		put_thread(s, track);
	}
	wp_writer_puts(s->out, "]");
}

/* How far samples of the main track are apart, in ms: the width of a sample in the graphs. */
static double interval_ms(struct state *s)
{
	const struct wp_export_track *track;
	uint64_t passed_ns;

	if (!s->tracks.tracks.n)
		return 1;
	track = &s->tracks.tracks.v[wp_export_tracks_main(&s->tracks)];
	if (s->profile->events.v[track->event].is_time)
		passed_ns = track->weight / track->n;
	else
		passed_ns = (sample_at(s, track, track->n - 1)->time_ns -
			     sample_at(s, track, 0)->time_ns) /
			    track->n;
	return passed_ns ? (double)passed_ns / NS_PER_MS : 1;
}

static void put_meta(struct state *s)
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

static void put_shared(struct state *s)
{
	wp_writer_puts(s->out, "\"shared\":{");
	put_strings(s);
	put_stacks(s);
	put_frames(s);
	put_funcs(s);
	put_resources(s);
	put_native_symbols(s);
	put_sources(s);
	wp_writer_puts(s->out, "},\n");
}

static void gather_strings(struct state *s)
{
	wp_vec_each (uint32_t, lib, &s->funcs.libs)
		wp_strpool_id(&s->strings, s->profile->modules.v[*lib].name);
	wp_vec_each (struct wp_export_func, func, &s->funcs.funcs) {
		uint64_t *at;

		wp_strpool_id(&s->strings, func->name);
		if (!func->file)
			continue;
		at = wp_map_put(&s->source_of, wp_strpool_id(&s->strings, func->file));
		if (!*at) {
			wp_vec_push(&s->sources, wp_strpool_id(&s->strings, func->file));
			*at = s->sources.n;
		}
	}
}

/* A stack comes behind its callers, so one pass is enough. */
static void find_depths(struct state *s)
{
	s->depths = wp_calloc(s->profile->frames.n + 1, sizeof(*s->depths));
	wp_vec_each (struct wp_profile_stack, stack, &s->profile->stacks) {
		if (stack->caller == WP_NO_STACK ||
		    frame_at(s, stack->frame)->kind != WP_SYMBOL_INLINE)
			continue;
		s->depths[stack->frame] = s->depths[s->profile->stacks.v[stack->caller].frame] + 1;
	}
}

static void render(const struct wp_profile *profile, struct wp_writer *out)
{
	struct state s = {.profile = profile, .out = out};

	wp_export_funcs_init(&s.funcs, profile);
	wp_export_tracks_init(&s.tracks, profile);
	gather_strings(&s);
	find_depths(&s);
	wp_writer_puts(out, "{");
	put_meta(&s);
	put_libs(&s);
	put_shared(&s);
	put_threads(&s);
	wp_writer_puts(out, "}\n");
	free(s.depths);
	wp_vec_deinit(&s.sources);
	wp_map_deinit(&s.source_of);
	wp_strpool_deinit(&s.strings);
	wp_export_tracks_deinit(&s.tracks);
	wp_export_funcs_deinit(&s.funcs);
}

const struct wp_export_ops wp_export_gecko = {
	.name = "gecko",
	.suffix = ".gecko.json",
	.text = "profiler.firefox.com: call tree, flame graph and stacks over time",
	.render = render,
};
