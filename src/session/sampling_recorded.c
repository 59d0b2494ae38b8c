/* sampling_recorded: see sampling_recorded.h. */
#include "session/sampling_recorded.h"

#include "base/clock.h"
#include "base/file.h"
#include "format/perfdata_notes.h"
#include "resolve/unwind.h"
#include "session/progress.h"
#include "session/sampling.h"
#include "session/sampling_stacks.h"
#include "source/kernel_maps.h"
#include "source/recording.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Shallow: names stay the recording's. */
static bool copy_events(const struct wp_event_set *from, struct wp_event_set *ret)
{
	bool kernel = false;

	wp_vec_each (struct wp_event, event, &from->events) {
		wp_vec_push(&ret->events, *event);
		kernel = kernel || !event->user_only;
	}
	return kernel;
}

static void forget_kernel(struct wp_sampling *s)
{
	wp_resolver_kernel_other(s->resolver);
	wp_log(s->io->log, WP_LOG_NOTE,
	       "recorded with another kernel than the running one: its functions have no names");
}

static bool other_release(const struct wp_source *source)
{
	const char *then = wp_recording_head(source)->release;
	struct utsname now;

	return then && uname(&now) == 0 && strcmp(then, now.release) != 0;
}

struct wp_err *wp_sampling_open_recorded(struct wp_sampling *s)
{
	const char *path = s->options->input ? s->options->input : WP_RECORDED_FILE;
	struct wp_resolver_options options = {.past = true};

	if (s->options->symfs && !wp_file_exists(s->options->symfs))
		return wp_err_new(WP_ERR_NOT_FOUND, "--symfs %s: there is no such folder",
				  s->options->symfs);
	s->recorded.on = true;
	s->python.spots.gil_only = s->options->gil;
	TRY(wp_report_filter_parse(s->options, &s->recorded.filter));
	TRY(wp_report_sort_parse(s->options, &s->recorded.sort));
	TRY(wp_recording_open(path, s->io->log, &s->source));
	options.kernel = copy_events(wp_recording_events(s->source), &s->events);
	s->recorded.debuginfod = wp_debuginfod_new(s->io->log, s->io->interrupted);
	options.places = (struct wp_debug_places){s->options->symfs, s->recorded.debuginfod};
	if (s->options->replay)
		TRY(wp_replay_load(s->options->replay, &s->setup.replay));
	wp_sampling_make_resolver(s, &options);
	s->windows.past = true;
	s->windows.symfs = s->options->symfs;
	if (!s->setup.replay && other_release(s->source))
		forget_kernel(s);
	return NULL;
}

bool wp_sampling_wants(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	struct wp_sampling_recorded *recorded = &s->recorded;
	bool wants;

	if (!recorded->on || !recorded->filter.any)
		return true;
	wants = wp_report_filter_keeps(&recorded->filter, sample) &&
		wp_report_filter_keeps_symbol(&recorded->filter, wp_resolver_symbols(s->resolver),
					      symbol);
	recorded->left_out += !wants;
	return wants;
}

static uint32_t make_symbol(struct wp_sampling *s, uint32_t number)
{
	const struct wp_recording_function *function = wp_recording_function(s->source, number);

	if (!function || !function->name)
		return wp_resolver_python_unknown(s->resolver);
	return wp_resolver_python_symbol(s->resolver, function->name, function->file,
					 function->first_line);
}

/* The Python frame that an address of a chain stands for; false: it is none. */
static bool frame_of(struct wp_sampling *s, uint64_t address, struct wp_python_frame *ret)
{
	struct wp_sampling_recorded *recorded = &s->recorded;
	const struct wp_recording_function *function;
	uint32_t number, line;

	if (!wp_perfdata_python_parts(address, &number, &line))
		return false;
	function = wp_recording_function(s->source, number);
	*ret = (struct wp_python_frame){.symbol = wp_resolver_python_unknown(s->resolver)};
	if (!function)
		return true;
	while (recorded->symbol_of.n <= number)
		wp_vec_push(&recorded->symbol_of, 0);
	if (!recorded->symbol_of.v[number])
		recorded->symbol_of.v[number] = make_symbol(s, number) + 1;
	ret->symbol = recorded->symbol_of.v[number] - 1;
	ret->line = line || function->line_base ? function->line_base + line : 0;
	s->python.feed.unresolved += !function->name;
	return true;
}

static void add_spots(struct wp_sampling *s, const uint64_t *from, size_t n)
{
	struct wp_python_frame frame;

	for (size_t i = 0; i < n; i++)
		if (frame_of(s, from[i], &frame))
			wp_vec_push(&s->python.spot_frames,
				    (struct wp_spot_frame){frame.symbol, frame.line});
}

static void list_spots(struct wp_sampling *s, const struct wp_stack_raw *raw)
{
	const struct wp_stack_note *note = raw->note;

	if (note->n_frames) {
		add_spots(s, note->frames, note->n_frames);
		return;
	}
	add_spots(s, raw->user_ips, raw->n_user);
	add_spots(s, note->rest, note->n_rest);
}

static void count_note(struct wp_sampling *s, const struct wp_stack_note *note)
{
	struct wp_sampling_python *python = &s->python;
	const uint32_t told = WP_STACK_NOTE_PYTHON | WP_STACK_NOTE_EARLY | WP_STACK_NOTE_LOST;
	uint32_t end = WP_PYTHON_THREAD_END(note->thread);

	if (!(note->flags & told))
		return;
	python->feed.met = true;
	s->recorded.transport = wp_python_mode_name(
		note->flags & WP_STACK_NOTE_PINNED ? WP_PYTHON_PINNED : WP_PYTHON_BPF);
	python->counts.early += (note->flags & WP_STACK_NOTE_EARLY) != 0;
	python->counts.lost += (note->flags & WP_STACK_NOTE_LOST) != 0;
	if (!(note->flags & WP_STACK_NOTE_PYTHON))
		return;
	wp_sampling_count_tasks(python, note->thread);
	python->counts.samples++;
	python->counts.ends[end < WP_PYTHON_ENDS ? end : WP_PYTHON_NO_THREAD]++;
	python->counts.with_frames += python->spot_frames.n > 0;
}

static void push_native(struct wp_sampling *s, const struct wp_record *sample, struct wp_va ip,
			bool caller, bool kernel)
{
	struct wp_recorded_frame frame = {.ip = ip, .is_caller = caller, .is_kernel = kernel};

	frame.symbol = wp_sampling_symbol(s, sample, ip, caller, kernel, &frame.rva);
	wp_vec_push(&s->recorded.stack.frames, frame);
}

/* Of our own recordings: as it was woven. */
static void push_woven(struct wp_sampling *s, const struct wp_record *sample,
		       const struct wp_stack_raw *raw)
{
	bool exact = raw->note->flags & WP_STACK_NOTE_EXACT;
	struct wp_python_frame frame;

	for (size_t i = 0; i < raw->n_kernel; i++)
		push_native(s, sample, (struct wp_va){raw->kernel_ips[i]}, i > 0, true);
	for (size_t i = 0; i < raw->n_user + raw->note->n_rest; i++) {
		uint64_t ip = i < raw->n_user ? raw->user_ips[i] : raw->note->rest[i - raw->n_user];

		if (!frame_of(s, ip, &frame)) {
			push_native(s, sample, (struct wp_va){ip}, !exact, false);
			exact = false;
			continue;
		}
		wp_vec_push(&s->recorded.stack.frames, (struct wp_recorded_frame){
							       .symbol = frame.symbol,
							       .line = frame.line,
							       .ip = {ip},
							       .is_python = true,
						       });
	}
	s->recorded.stack.end = (enum wp_stack_end)raw->note->end;
}

static void push_unwound(struct wp_sampling *s, const struct wp_record *sample)
{
	struct wp_stack *stack = &s->stack->frames;

	wp_resolver_stack(s->resolver, sample, stack);
	for (size_t i = 0; i < stack->n_kernel + stack->n_user; i++)
		push_native(s, sample, stack->frames[i].ip, i > 0 && i != stack->n_kernel,
			    i < stack->n_kernel);
	s->recorded.stack.end = stack->end;
}

void wp_sampling_recorded_stack(struct wp_sampling *s, const struct wp_record *sample)
{
	const struct wp_stack_raw *raw = sample->sample.stack;
	uint64_t unresolved = s->python.feed.unresolved; /* a frame is counted once */

	s->recorded.stack.frames.n = 0;
	if (raw && raw->note)
		push_woven(s, sample, raw);
	else
		push_unwound(s, sample);
	s->python.feed.unresolved = unresolved;
}

static void add_to_graph(struct wp_sampling *s, const struct wp_record *sample,
			 const struct wp_stack_note *note)
{
	struct wp_sampling_python *python = &s->python;

	wp_sampling_recorded_stack(s, sample);
	python->places.n = 0;
	wp_vec_each (struct wp_recorded_frame, frame, &s->recorded.stack.frames) {
		struct wp_rva rva = {frame->is_kernel ? 0 : frame->rva.v};

		wp_vec_push(&python->places, wp_callgraph_place(&s->graph, frame->symbol, rva));
	}
	python->unbound += note ? note->unbound : 0;
	python->missing += note ? note->missing : 0;
	wp_callgraph_add(&s->graph, sample->sample.event, python->places.v, python->places.n,
			 sample->sample.period, s->recorded.stack.end);
}

void wp_sampling_add_recorded(struct wp_sampling *s, const struct wp_record *sample,
			      uint32_t symbol)
{
	const struct wp_stack_raw *raw = sample->sample.stack;
	const struct wp_stack_note *note = raw ? raw->note : NULL;

	s->python.spot_frames.n = 0;
	if (note) {
		list_spots(s, raw);
		count_note(s, note);
	}
	wp_sampling_count_spots(s, sample, note ? note->thread : 0);
	if (s->stack && !s->recorded.sort.n)
		add_to_graph(s, sample, note);
	if (s->recorded.sort.n)
		wp_report_sort_add(s, sample, symbol);
}

/* The recording's kernel against the running one, which kallsyms is of. */
static void compare_kernels(struct wp_sampling *s, const struct wp_record_map *then)
{
	uint8_t now[WP_BUILD_ID_MAX];
	uint8_t n = wp_kernel_maps_build_id(now);

	if (strcmp(then->path, WP_KERNEL_MAPS_PATH) != 0)
		return; /* it is measured by another symbol */
	if (then->build_id_len && n &&
	    (then->build_id_len != n || memcmp(then->build_id, now, n) != 0))
		forget_kernel(s);
	else
		wp_resolver_kernel_was_at(s->resolver, then->pgoff.v, then->start, then->len);
}

void wp_sampling_recorded_record(struct wp_sampling *s, const struct wp_record *record)
{
	struct wp_sampling_image *image = &s->image;

	if (record->kind == WP_RECORD_MAP && record->map.kernel && !s->recorded.kernel_seen) {
		s->recorded.kernel_seen = true; /* the kernel's own comes first */
		s->recorded.kernel_id_len = record->map.build_id_len;
		memcpy(s->recorded.kernel_id, record->map.build_id, sizeof(record->map.build_id));
		compare_kernels(s, &record->map);
	}
	if (image->pid || record->kind != WP_RECORD_COMM || !record->pid)
		return;
	if (record->comm.exec) {
		image->pid = (pid_t)record->pid;
		s->targeting.target.launched = true; /* follow_image() knows the rest */
	}
}

/* Texts are those of the files here, where the recording was made and nothing changed since. */
static void find_sources(struct wp_sampling *s, const struct wp_perfdata_run *run)
{
	struct wp_python_source *source = &s->python.source;
	struct utsname name = {.nodename = ""};

	uname(&name);
	source->usable = run->has_sources && strcmp(run->host, name.nodename) == 0;
	source->began = (time_t)run->began;
	source->cwd = *run->cwd ? wp_strdup(run->cwd) : NULL;
}

static void end_recorded(struct wp_sampling *s)
{
	const struct wp_perfdata_run *run = wp_recording_run(s->source);

	if (run->cwd) {
		find_sources(s, run);
		s->image.pid = (pid_t)run->image_pid;
		free(s->image.path);
		s->image.path = *run->image_path ? wp_strdup(run->image_path) : NULL;
	}
	wp_sampling_find_image(s);
}

static bool is_interrupted(const struct wp_sampling *s)
{
	return s->io->interrupted && *s->io->interrupted;
}

/* The work is not only reading, but in step with it: samples are resolved as they come. */
static struct wp_err *take_all(struct wp_sampling *s)
{
	const char *path = s->options->input ? s->options->input : WP_RECORDED_FILE;
	wp_autofree char *what = wp_asprintf("reading %s", path);
	struct wp_progress_share share;
	struct wp_err *err = NULL;
	uint64_t done, all;

	wp_progress_share_begin(&share, s->io->terminal, what, wp_clock_now_ns());
	while (!err && !s->ended && !is_interrupted(s)) {
		err = wp_sampling_take(s, 0);
		wp_recording_progress(s->source, &done, &all);
		wp_progress_share_tick(&share, wp_clock_now_ns(), done, all);
	}
	wp_progress_share_end(&share);
	return err;
}

struct wp_err *wp_sampling_run_recorded(struct wp_sampling *s)
{
	if (!s->stack)
		wp_recording_no_stacks(s->source);
	TRY(s->source->ops->start(s->source));
	TRY(take_all(s));
	s->elapsed_ns = s->source->ops->elapsed_ns(s->source);
	TRY(s->source->ops->stop(s->source));
	end_recorded(s);
	wp_sampling_show_notes(s);
	return NULL;
}

struct wp_err *wp_sampling_hand_out(struct wp_sampling *s, struct wp_recorded_taker taker)
{
	if (!s->stack)
		s->stack = wp_calloc(1, sizeof(*s->stack));
	s->recorded.taker = taker;
	return wp_sampling_run_recorded(s);
}

void wp_sampling_recorded_deinit(struct wp_sampling_recorded *recorded)
{
	wp_debuginfod_free(recorded->debuginfod);
	wp_vec_deinit(&recorded->symbol_of);
	wp_vec_deinit(&recorded->stack.frames);
	wp_report_filter_deinit(&recorded->filter);
	wp_report_sort_deinit(&recorded->sort);
}
