/* sampling_data: see sampling_data.h. */
#include "session/sampling_data.h"

#include "base/str.h"
#include "format/perfdata_notes.h"
#include "format/perfdata_write.h"
#include "session/emit.h"
#include "session/sampling.h"
#include "source/kernel_maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define LEVEL 1 /* of zstd: as perf record -z */

#define DEFAULT_NAME "perf.data"

/* Who wants JSON, or a replay, did not ask for a file beside it. */
static bool keeps_unasked(const struct wp_session_options *options, enum wp_targeting_verb verb)
{
	return verb == WP_TARGETING_RECORD && !options->no_data && !options->replay &&
	       !options->json && !options->output;
}

void wp_sampling_data_init(struct wp_sampling_data *data, const struct wp_session_options *options,
			   enum wp_targeting_verb verb)
{
	const char *file = options->data;

	if (!file && options->output && !wp_emit_output_is_json(options))
		file = options->output;
	data->unasked = !file && keeps_unasked(options, verb);
	if (data->unasked)
		file = DEFAULT_NAME;
	data->replaces = file && strcmp(file, DEFAULT_NAME) == 0;
	data->path = file ? wp_emit_path(options, file) : NULL;
}

/* A file that nobody asked for is no reason to end the run. */
static struct wp_err *forgive(struct wp_sampling *s, struct wp_err *err)
{
	if (!err || !s->data.unasked)
		return err;
	wp_log(s->io->log, WP_LOG_NOTE, "the run goes on without keeping its samples: %s",
	       err->text);
	wp_err_free(err);
	if (s->data.recorder)
		wp_recorder_abandon(s->data.recorder);
	s->data.recorder = NULL;
	return NULL;
}

/* Where there may be samples of it. */
static void put_kernel(struct wp_sampling *s)
{
	struct wp_records maps = {0};
	bool wanted = s->options->kernel;

	wp_vec_each (struct wp_event, event, &s->events.events)
		wanted = wanted || event->kernel_only || event->in_kernel;
	if (wanted)
		wp_kernel_maps(&maps);
	wp_vec_each (struct wp_record, record, &maps.records)
		wp_recorder_add(s->data.recorder, record);
	wp_records_deinit(&maps);
}

struct wp_err *wp_sampling_data_open(struct wp_sampling *s)
{
	struct wp_recorder_options options = {
		.events = &s->events,
		.machine = s->setup.machine,
		.argv = s->options->argv,
		.stacks = s->stack != NULL || s->python.feed.mode.way != WP_PYTHON_OFF,
		.kernel = s->options->kernel,
		.level = s->options->compress ? LEVEL : 0,
		.path = s->data.path,
		.replaces = s->data.replaces,
	};

	if (!s->data.path) {
		if (s->options->compress)
			return wp_err_new(WP_ERR_USAGE,
					  "-z compresses a recording: say where it is "
					  "to be kept (--data FILE)");
		return NULL;
	}
	TRY(forgive(s, wp_recorder_open(&options, &s->data.recorder)));
	if (s->data.recorder)
		put_kernel(s);
	return NULL;
}

void wp_sampling_data_record(struct wp_sampling *s, const struct wp_record *record)
{
	struct wp_record identified = *record;

	if (!s->data.recorder)
		return;
	if (record->kind == WP_RECORD_MAP && !s->setup.replay)
		wp_build_ids_give(&s->data.ids, record->pid, &identified.map);
	wp_recorder_add(s->data.recorder, &identified);
}

static uint64_t python_address(struct wp_sampling *s, const struct wp_python_frame *frame)
{
	return wp_recorder_python_frame(s->data.recorder, wp_resolver_symbols(s->resolver),
					frame->symbol, frame->line);
}

/* As the walker read them: data.frames. */
static void list_frames(struct wp_sampling *s, const struct wp_stack_raw *raw)
{
	s->data.frames.n = 0;
	for (size_t i = 0; i < s->python.frames.n && i < raw->n_python; i++)
		if (wp_sampling_shows_frame(&s->python, raw, i))
			wp_vec_push(&s->data.frames, python_address(s, &s->python.frames.v[i]));
}

/* With -g: as they were woven. Returns whether the first native frame is the innermost one. */
static bool chain_woven(struct wp_sampling *s)
{
	const struct wp_stack *stack = &s->stack->frames;
	const struct wp_woven *woven = &s->python.woven;
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < woven->n; i++) {
		uint32_t index = woven->frames[i].index;

		if (woven->frames[i].kind == WP_WOVEN_PYTHON) {
			wp_vec_push(&s->data.chain, python_address(s, &s->python.frames.v[index]));
			continue;
		}
		wp_vec_push(&s->data.chain, stack->frames[index].ip.v);
		if (index >= stack->n_kernel && first == SIZE_MAX)
			first = index;
	}
	return first == stack->n_kernel;
}

/* Without: where the event happened, and the Python frames. */
static void chain_plain(struct wp_sampling *s, const struct wp_record *sample)
{
	wp_vec_push(&s->data.chain, sample->sample.ip.v);
	wp_vec_each (uint64_t, frame, &s->data.frames)
		wp_vec_push(&s->data.chain, *frame);
}

/* The chain has the Python frames in the order they were read. */
static bool same_order(const struct wp_sampling *s)
{
	size_t at = 0;
	uint32_t number, line;

	for (size_t i = 0; i < s->data.chain.n; i++) {
		if (!wp_perfdata_python_parts(s->data.chain.v[i], &number, &line))
			continue;
		if (at == s->data.frames.n || s->data.frames.v[at++] != s->data.chain.v[i])
			return false;
	}
	return at == s->data.frames.n;
}

static uint32_t python_flags(const struct wp_sampling *s, const struct wp_record *sample)
{
	static const struct wp_stack_raw none;
	const struct wp_stack_raw *raw = sample->sample.stack ? sample->sample.stack : &none;
	uint32_t pinned = s->python.feed.mode.way == WP_PYTHON_PINNED ? WP_STACK_NOTE_PINNED : 0;

	if (raw->n_python)
		return pinned | WP_STACK_NOTE_PYTHON;
	switch (s->python.expected) {
	case WP_PYTHON_EARLY: return pinned | WP_STACK_NOTE_EARLY;
	case WP_PYTHON_EXPECTED: return pinned | WP_STACK_NOTE_LOST;
	default: return 0;
	}
}

void wp_sampling_data_sample(struct wp_sampling *s, const struct wp_record *sample)
{
	static const struct wp_stack_raw none;
	struct wp_stack_note note = {.thread = s->python.thread, .end = WP_STACK_CUT};
	struct wp_recorder_stack stack = {.note = &note};

	if (!s->data.recorder)
		return;
	s->data.chain.n = 0;
	list_frames(s, sample->sample.stack ? sample->sample.stack : &none);
	note.flags = python_flags(s, sample);
	if (s->stack) {
		note.flags |= WP_STACK_NOTE_STACK | (chain_woven(s) ? WP_STACK_NOTE_EXACT : 0);
		note.end = s->stack->frames.end;
		note.unbound = (uint32_t)s->python.woven.unbound;
		note.missing = (uint32_t)s->python.woven.missing;
		stack.n_kernel = s->stack->frames.n_kernel;
	} else {
		note.flags |= WP_STACK_NOTE_EXACT;
		chain_plain(s, sample);
		stack.n_kernel = sample->sample.mode == WP_MODE_KERNEL;
	}
	if (!same_order(s)) {
		note.frames = s->data.frames.v;
		note.n_frames = s->data.frames.n;
	}
	if (s->data.chain.n > WP_PERFDATA_CHAIN_MAX) {
		note.rest = s->data.chain.v + WP_PERFDATA_CHAIN_MAX;
		note.n_rest = s->data.chain.n - WP_PERFDATA_CHAIN_MAX;
	}
	stack.frames = s->data.chain.v;
	stack.n = s->data.chain.n;
	stack.python = s->data.frames.n > 0;
	wp_recorder_add_sample(s->data.recorder, sample, &stack);
}

struct wp_err *wp_sampling_data_round(struct wp_sampling *s)
{
	return s->data.recorder ? forgive(s, wp_recorder_round(s->data.recorder)) : NULL;
}

/* The kernel's own functions are in what it is mapped as. */
static void put_hits(struct wp_sampling *s)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);

	wp_vec_each (struct wp_symbol, symbol, &set->symbols) {
		const char *path =
			symbol->module == WP_NO_MODULE ? NULL : set->modules.v[symbol->module].path;

		if (path && strcmp(path, WP_KERNEL_PATH) == 0)
			path = WP_KERNEL_MAPS_PATH;
		if (path)
			wp_recorder_hit(s->data.recorder, path);
	}
}

static void put_run(struct wp_sampling *s)
{
	const struct wp_python_source *source = &s->python.source;
	struct utsname name = {.nodename = ""};
	struct wp_perfdata_run run = {
		.image_pid = s->image.pid > 0 ? (uint32_t)s->image.pid : 0,
		.image_path = s->image.path ? s->image.path : "",
		.has_sources = source->usable && !source->pid,
		.began = source->began,
		.cwd = source->cwd ? source->cwd : "",
	};

	uname(&name);
	run.host = name.nodename;
	wp_recorder_run(s->data.recorder, &run);
}

struct wp_err *wp_sampling_data_close(struct wp_sampling *s)
{
	struct wp_recorder *recorder = s->data.recorder;
	struct wp_recorder_figures figures;
	struct wp_err *err;

	if (!recorder)
		return NULL;
	put_run(s);
	put_hits(s);
	s->data.recorder = NULL;
	figures = wp_recorder_figures(recorder);
	err = wp_recorder_close(recorder);
	if (!err)
		wp_log(s->io->log, WP_LOG_NOTE, "%s: %" PRIu64 " samples, %" PRIu64 " bytes",
		       s->data.path, figures.samples, figures.bytes);
	return forgive(s, err);
}

void wp_sampling_data_deinit(struct wp_sampling *s)
{
	if (s->data.recorder) {
		put_run(s);
		put_hits(s);
		wp_recorder_abandon(s->data.recorder);
	}
	free(s->data.path);
	wp_vec_deinit(&s->data.chain);
	wp_vec_deinit(&s->data.frames);
	wp_build_ids_deinit(&s->data.ids);
}
