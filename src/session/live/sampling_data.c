/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_data: see sampling_data.h. */
#include "session/live/sampling_data.h"

#include "base/clock.h"
#include "base/str.h"
#include "format/perf/perfdata_notes.h"
#include "format/perf/perfdata_write.h"
#include "session/emit.h"
#include "session/follow/python_bytecodes.h"
#include "session/follow/python_touched.h"
#include "source/proc/kernel_maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LEVEL 1 /* of zstd, where none is asked for: as perf record -z */

#define DEFAULT_NAME "perf.data"

/* Who wants JSON, or a replay, did not ask for a file beside it. */
static bool keeps_unasked(const struct wp_session_options *options, enum wp_targeting_verb verb)
{
	return verb == WP_TARGETING_RECORD && !options->recording.none && !options->replay &&
	       !options->output.json && !options->output.file;
}

void wp_sampling_data_init(struct wp_sampling_data *data, const struct wp_session_options *options,
			   enum wp_targeting_verb verb)
{
	const char *file = options->recording.file;

	if (!file && options->output.file && !wp_emit_output_is_json(options))
		file = options->output.file;
	data->unasked = !file && keeps_unasked(options, verb);
	if (data->unasked)
		file = DEFAULT_NAME;
	data->replaces = file && strcmp(file, DEFAULT_NAME) == 0;
	data->path = file ? wp_emit_path(options, file) : NULL;
}

void wp_sampling_data_hold(struct wp_sampling_data *data, uint64_t span_ns, uint64_t limit_bytes)
{
	data->holds = true;
	data->window.span_ns = span_ns;
	data->window.limit_bytes = limit_bytes;
}

/* A file that nobody asked for is no reason to end the run. */
static struct wp_err *forgive(struct wp_sampling_data *data, struct wp_err *err)
{
	if (!err || !data->unasked)
		return err;
	wp_log(data->of.log, WP_LOG_NOTE, "the run goes on without keeping its samples: %s",
	       err->text);
	wp_err_free(err);
	if (data->recorder)
		wp_recorder_abandon(data->recorder);
	data->recorder = NULL;
	return NULL;
}

/* Where there may be samples of it. */
static void put_kernel(struct wp_sampling_data *data)
{
	struct wp_records maps = {0};
	bool wanted = data->of.options->target.kernel;

	wp_vec_each (struct wp_event, event, &data->of.events->events)
		wanted = wanted || event->kernel_only || event->in_kernel;
	if (wanted)
		wp_kernel_maps(&maps);
	wp_vec_each (struct wp_record, record, &maps.records)
		wp_recorder_add(data->recorder, record);
	wp_records_deinit(&maps);
}

static void store_live_record(struct wp_sink *sink, const struct wp_record *record)
{
	struct wp_sampling_data *data = (struct wp_sampling_data *)sink;
	struct wp_record identified = *record;

	if (!wp_sampling_data_keeps(data))
		return;
	if (record->kind == WP_RECORD_MAP && !record->map.data && !data->of.offline)
		wp_build_ids_give(&data->ids, record->pid, &identified.map);
	if (data->snapshot.on) {
		wp_recorder_window_add(&data->window, &identified);
		return;
	}
	if (data->sw.on)
		wp_recorder_living_record(&data->living, &identified);
	wp_recorder_add(data->recorder, &identified);
}

static uint64_t number_python_frame(struct wp_sampling_data *data, uint32_t symbol, uint32_t line)
{
	if (data->snapshot.on)
		return wp_recorder_window_python_frame(&data->window, symbol, line);
	return wp_recorder_python_frame(data->recorder, data->symbols, symbol, line);
}

/* As the walker read them: data->frames. */
static void list_stored_frames(struct wp_sampling_data *data, const struct wp_sample *sample)
{
	data->frames.n = 0;
	for (size_t i = 0; i < sample->n_python; i++)
		wp_vec_push(&data->frames, number_python_frame(data, sample->python[i].symbol,
							       sample->python[i].line));
}

/* With -g: as they were woven. Returns whether the first native frame is the innermost one. */
static bool chain_woven(struct wp_sampling_data *data, const struct wp_sample *sample)
{
	const struct wp_frame *first = NULL;

	for (size_t i = 0; i < sample->n; i++) {
		const struct wp_frame *frame = &sample->frames[i];

		if (frame->kind == WP_FRAME_PYTHON) {
			wp_vec_push(&data->chain,
				    number_python_frame(data, frame->symbol, frame->line));
			continue;
		}
		wp_vec_push(&data->chain, frame->ip.v);
		if (frame->kind == WP_FRAME_NATIVE && !first)
			first = frame;
	}
	return first && !first->is_caller;
}

/* Without: where the event happened, and the Python frames. */
static void chain_plain(struct wp_sampling_data *data, const struct wp_record *record)
{
	wp_vec_push(&data->chain, record->sample.ip.v);
	wp_vec_each (uint64_t, frame, &data->frames)
		wp_vec_push(&data->chain, *frame);
}

/* The chain has the Python frames in the order they were read. */
static bool same_order(const struct wp_sampling_data *data)
{
	size_t at = 0;
	uint32_t number, line;

	for (size_t i = 0; i < data->chain.n; i++) {
		if (!wp_perfdata_python_parts(data->chain.v[i], &number, &line))
			continue;
		if (at == data->frames.n || data->frames.v[at++] != data->chain.v[i])
			return false;
	}
	return at == data->frames.n;
}

static uint32_t python_flags(const struct wp_sampling_data *data, enum wp_python_word word)
{
	uint32_t pinned = data->of.pinned ? WP_STACK_NOTE_PINNED : 0;

	switch (word) {
	case WP_PYTHON_WALKED: return pinned | WP_STACK_NOTE_PYTHON;
	case WP_PYTHON_EARLY: return pinned | WP_STACK_NOTE_EARLY;
	case WP_PYTHON_LOST: return pinned | WP_STACK_NOTE_LOST;
	default: return 0;
	}
}

/* data->chain; what of the note belongs to it, and how many of its frames are the kernel's. */
static size_t make_chain(struct wp_sampling_data *data, const struct wp_sample *sample,
			 struct wp_stack_note *note)
{
	data->chain.n = 0;
	if (!sample->has_stack) {
		note->flags |= WP_STACK_NOTE_EXACT;
		chain_plain(data, sample->record);
		return sample->record->sample.mode == WP_MODE_KERNEL;
	}
	note->flags |= WP_STACK_NOTE_STACK;
	note->flags |= chain_woven(data, sample) ? WP_STACK_NOTE_EXACT : 0;
	note->end = sample->end;
	note->unbound = (uint32_t)sample->unbound;
	note->missing = (uint32_t)sample->missing;
	return sample->n_kernel;
}

static void store_live_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_sampling_data *data = (struct wp_sampling_data *)sink;
	struct wp_stack_note note = {
		.instruction = sample->instruction, .thread = sample->thread, .end = WP_STACK_CUT};
	struct wp_recorder_stack stack = {.note = &note};

	if (!wp_sampling_data_keeps(data))
		return;
	list_stored_frames(data, sample);
	note.flags = python_flags(data, sample->word);
	stack.n_kernel = make_chain(data, sample, &note);
	if (!same_order(data)) {
		note.frames = data->frames.v;
		note.n_frames = data->frames.n;
	}
	if (data->chain.n > WP_PERFDATA_CHAIN_MAX) {
		note.rest = data->chain.v + WP_PERFDATA_CHAIN_MAX;
		note.n_rest = data->chain.n - WP_PERFDATA_CHAIN_MAX;
	}
	stack.frames = data->chain.v;
	stack.n = data->chain.n;
	stack.python = data->frames.n > 0;
	if (data->snapshot.on)
		wp_recorder_window_add_sample(&data->window, sample->record, &stack);
	else
		wp_recorder_add_sample(data->recorder, sample->record, &stack);
}

static void begin_keeping(struct wp_sampling_data *data)
{
	static const struct wp_sink_ops ops = {.record = store_live_record,
					       .sample = store_live_sample};

	data->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_OPENED | WP_SAMPLE_IDLE};
	data->symbols = wp_resolver_symbols(data->of.resolver);
}

static int data_level(const struct wp_options_recording *options)
{
	return options->leveled ? (int)options->level : LEVEL;
}

static struct wp_err *open_recorder_file(const struct wp_sampling_data *data, const char *path,
					 bool replaces, struct wp_recorder **ret)
{
	const struct wp_sampling_data_parts *of = &data->of;
	const struct wp_session_options *options = of->options;
	struct wp_recorder_options recorder = {
		.clock = of->clock,
		.events = of->events,
		.machine = of->machine,
		.argv = options->recording.argv,
		.stacks = of->stacks,
		.kernel = options->target.kernel,
		.level = data_level(&options->recording),
		.tracepoints = of->tracepoints,
		.carried = of->carried,
		.branch_type = of->branch_type,
		.path = path,
		.replaces = replaces,
	};

	return wp_recorder_open(&recorder, ret);
}

/* The next recording, or the only one. */
static struct wp_err *open_recorder(struct wp_sampling_data *data)
{
	bool replaces = data->replaces || data->sw.on;

	data->file = data->path;
	if (data->sw.on)
		data->file = wp_sampling_switch_name(&data->sw, data->path);
	TRY(forgive(data, open_recorder_file(data, data->file, replaces, &data->recorder)));
	if (!data->recorder)
		return NULL;
	begin_keeping(data);
	put_kernel(data);
	wp_recorder_living_tell(&data->living, data->recorder);
	return NULL;
}

/* Whether there can be a file is told now, not when it is asked for. */
static struct wp_err *open_window(struct wp_sampling_data *data)
{
	struct wp_recorder *trial;

	TRY(open_recorder_file(data, data->path, true, &trial));
	wp_recorder_abandon(trial);
	data->window.span_ns = data->snapshot.span_ns;
	data->window.limit_bytes = data->snapshot.limit_bytes;
	begin_keeping(data);
	return NULL;
}

/* What goes with --switch-output and --snapshot, and what does not. */
static struct wp_err *parse_parts(struct wp_sampling_data *data)
{
	const struct wp_options_recording *recording = &data->of.options->recording;
	const char *when = recording->switch_output;

	TRY(wp_sampling_snapshot_parse(recording->snapshot, &data->snapshot));
	if (data->snapshot.on && !when)
		when = "signal";
	TRY(wp_sampling_switch_parse(when, recording->switch_files, &data->sw));
	data->sw.asked = data->of.switch_asked;
	if (data->snapshot.on && (data->sw.bytes || data->sw.ns))
		return wp_err_new(WP_ERR_USAGE,
				  "--snapshot writes at SIGUSR2 and at the end: no "
				  "--switch-output=%s with it",
				  when);
	if (!data->path && data->sw.on)
		return wp_err_new(WP_ERR_USAGE,
				  "%s is of recordings: say where they are to be kept (--data "
				  "FILE)",
				  data->snapshot.on ? "--snapshot" : "--switch-output");
	return NULL;
}

struct wp_err *wp_sampling_data_open(struct wp_sampling_data *data,
				     const struct wp_sampling_data_parts *of)
{
	data->of = *of;
	if (data->holds) {
		data->snapshot.on = true;
		begin_keeping(data);
		return NULL;
	}
	TRY(parse_parts(data));
	if (data->snapshot.on)
		return open_window(data);
	if (data->path)
		return open_recorder(data);
	if (of->options->recording.compress)
		return wp_err_new(WP_ERR_USAGE, "-z compresses a recording: say where it is "
						"to be kept (--data FILE)");
	return NULL;
}

bool wp_sampling_data_keeps(const struct wp_sampling_data *data)
{
	return data->recorder || data->snapshot.on;
}

/* The kernel's own functions are in what it is mapped as. */
static void put_hits(struct wp_sampling_data *data)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(data->of.resolver);

	wp_vec_each (struct wp_symbol, symbol, &set->symbols) {
		const char *path =
			symbol->module == WP_NO_MODULE ? NULL : set->modules.v[symbol->module].path;

		if (path && strcmp(path, WP_KERNEL_PATH) == 0)
			path = WP_KERNEL_MAPS_PATH;
		if (path)
			wp_recorder_hit(data->recorder, path);
	}
}

/* Where they lay, of those that were seen and read. */
static void put_code_places(struct wp_sampling_data *data)
{
	wp_vec_each (struct wp_python_bytecode_kept, kept, &data->of.bytecodes->all) {
		struct wp_perfdata_place place = {
			.number = (uint32_t)(kept - data->of.bytecodes->all.v) + 1,
			.pid = kept->pid,
			.bytes = (uint32_t)kept->code.len,
			.start = kept->at,
			.first_ns = kept->first_ns,
			.last_ns = kept->last_ns,
		};

		if (kept->at && kept->code.len && kept->first_ns)
			wp_recorder_place(data->recorder, data->symbols, kept->symbol, &place);
	}
}

/* As it was read last, of the code objects that the file has samples of. */
static void put_bytecodes(struct wp_sampling_data *data)
{
	struct wp_python_bytecode bytecode;

	for (uint32_t number = 1; number <= data->of.bytecodes->all.n; number++)
		if (wp_python_bytecodes_get(data->of.bytecodes, number, &bytecode))
			wp_recorder_bytecode(data->recorder, number, &bytecode);
}

static void put_touched(struct wp_sampling_data *data)
{
	const struct wp_python_touched *touched = data->of.touched;

	for (uint32_t i = 0; i < touched->type_names.strings.n; i++)
		wp_recorder_type(data->recorder,
				 &(struct wp_perfdata_type){i, touched->type_names.strings.v[i]});
	wp_vec_each (struct wp_python_touch, touch, &touched->all) {
		struct wp_perfdata_block block = {
			.pid = touch->pid,
			.bytes = touch->bytes,
			.kind = touch->kind,
			.type = touch->type,
			.start = touch->start,
			.first_ns = touch->first_ns,
			.last_ns = touch->last_ns,
			.late_ns = touch->late_ns,
		};

		wp_recorder_block(data->recorder, &block);
	}
}

static void put_run(struct wp_sampling_data *data)
{
	const struct wp_python_source *source = data->of.source;
	wp_autostr struct wp_str owners = {0};
	struct utsname name = {.nodename = ""};
	struct wp_perfdata_run run = {
		.image_pid = data->of.image->pid > 0 ? (uint32_t)data->of.image->pid : 0,
		.image_path = data->of.image->path ? data->of.image->path : "",
		.has_sources = source->usable && !source->pid,
		.began = source->began,
		.cwd = source->cwd ? source->cwd : "",
	};

	if (source->owners)
		wp_owners_put(source->owners, &owners);
	run.owners = owners.s && owners.len < WP_PERFDATA_TEXT_MAX ? owners.s : "";
	uname(&name);
	run.host = name.nodename;
	wp_recorder_run(data->recorder, &run);
}

/* What is said of the whole run behind its samples. */
static void put_whole_run(struct wp_sampling_data *data)
{
	put_code_places(data);
	put_bytecodes(data);
	put_touched(data);
	put_run(data);
	put_hits(data);
}

static struct wp_err *end_recorder(struct wp_sampling_data *data,
				   struct wp_recorder_figures *ret_figures)
{
	struct wp_recorder *recorder = data->recorder;

	put_whole_run(data);
	data->recorder = NULL;
	return wp_recorder_close(recorder, ret_figures);
}

static struct wp_err *close_recorder(struct wp_sampling_data *data)
{
	struct wp_recorder_figures figures;
	struct wp_err *err;

	if (!data->recorder)
		return NULL;
	err = end_recorder(data, &figures);
	if (!err)
		wp_log(data->of.log, WP_LOG_NOTE, "%s: %" PRIu64 " samples, %" PRIu64 " bytes",
		       data->file, figures.samples, figures.bytes);
	return forgive(data, err);
}

/* By the clock of records: a script has its own. */
static uint64_t window_now(const struct wp_sampling_data *data)
{
	return data->of.offline ? data->window.newest_ns : wp_clock_now_ns();
}

/* Since when samples that belong into the window are missing in it. */
static void tell_squeezed(const struct wp_sampling_data *data, uint64_t now_ns)
{
	const struct wp_recorder_window *window = &data->window;
	uint64_t begin_ns = window->span_ns < now_ns ? now_ns - window->span_ns : 0;
	uint64_t oldest_ns = wp_recorder_window_oldest_ns(window);

	if (window->span_ns && window->squeezed_ns >= begin_ns && window->squeezed_ns)
		wp_log(data->of.log, WP_LOG_NOTE,
		       "%s: of the last %.1f s, only the last %.1f s had room in %" PRIu64
		       " MB: --snapshot TIME,SIZE holds more",
		       data->file, (double)window->span_ns / (double)WP_NS_PER_S,
		       (double)(oldest_ns ? now_ns - oldest_ns : 0) / (double)WP_NS_PER_S,
		       window->limit_bytes >> 20);
}

/* Also so that its size is known. */
static struct wp_err *put_held_records(struct wp_sampling_data *data)
{
	struct wp_err *err;

	wp_recorder_window_write(&data->window, data->symbols, data->recorder);
	err = wp_recorder_round(data->recorder);
	if (err) {
		wp_recorder_abandon(data->recorder);
		data->recorder = NULL;
	}
	return err;
}

static struct wp_err *write_window(struct wp_sampling_data *data)
{
	uint64_t now_ns = window_now(data);

	wp_recorder_window_pass(&data->window, now_ns);
	TRY(open_recorder(data));
	if (!data->recorder)
		return NULL;
	TRY(forgive(data, put_held_records(data)));
	TRY(close_recorder(data));
	tell_squeezed(data, now_ns);
	return NULL;
}

struct wp_err *wp_sampling_data_write(struct wp_sampling_data *data, const char *path, char **ret)
{
	struct wp_recorder_figures figures;

	if (!data->holds)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "what Arm SPE writes is not held: record keeps it");
	if (access(path, F_OK) == 0)
		return wp_err_new(WP_ERR_OTHER, "%s is there already", path);
	wp_recorder_window_pass(&data->window, window_now(data));
	TRY(open_recorder_file(data, path, false, &data->recorder));
	put_kernel(data);
	TRY(put_held_records(data));
	TRY(end_recorder(data, &figures));
	*ret = wp_asprintf("%s: %" PRIu64 " samples, %" PRIu64 " bytes", path, figures.samples,
			   figures.bytes);
	return NULL;
}

/* One that cannot be written is no reason to give up what will be asked for later. */
static void round_window(struct wp_sampling_data *data)
{
	bool asked = wp_sampling_switch_is_due(&data->sw, 0, 0);
	struct wp_err *err;

	wp_recorder_window_pass(&data->window, window_now(data));
	if (!wp_sampling_snapshot_is_due(&data->snapshot, asked, data->window.newest_ns,
					 wp_clock_now_ns()))
		return;
	err = write_window(data);
	if (err)
		wp_log(data->of.log, WP_LOG_WARNING, "%s", err->text);
	wp_err_free(err);
}

struct wp_err *wp_sampling_data_close(struct wp_sampling_data *data)
{
	struct wp_err *err;

	if (data->holds)
		return NULL; /* it may still be asked for */
	if (!data->snapshot.on)
		return close_recorder(data);
	err = write_window(data);
	data->snapshot.on = false;
	return err;
}

struct wp_err *wp_sampling_data_round(struct wp_sampling_data *data)
{
	struct wp_recorder_figures figures;

	if (data->holds)
		wp_recorder_window_pass(&data->window, window_now(data));
	else if (data->snapshot.on)
		round_window(data);
	if (!data->recorder)
		return NULL;
	TRY(forgive(data, wp_recorder_round(data->recorder)));
	if (!data->recorder)
		return NULL;
	figures = wp_recorder_figures(data->recorder);
	if (!wp_sampling_switch_is_due(&data->sw, figures.samples, figures.bytes))
		return NULL;
	TRY(close_recorder(data));
	return open_recorder(data);
}

void wp_sampling_data_deinit(struct wp_sampling_data *data)
{
	if (data->snapshot.on && data->sink.ops && !data->holds)
		wp_err_free(wp_sampling_data_close(data));
	if (data->recorder) {
		put_whole_run(data);
		wp_recorder_abandon(data->recorder);
	}
	wp_recorder_living_deinit(&data->living);
	wp_recorder_window_deinit(&data->window);
	wp_sampling_switch_deinit(&data->sw);
	free(data->path);
	wp_vec_deinit(&data->chain);
	wp_vec_deinit(&data->frames);
	wp_build_ids_deinit(&data->ids);
}
