/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_recorded: see sampling_recorded.h. */
#include "session/recorded/sampling_recorded.h"

#include "aggregate/ratio_doc.h"
#include "base/clock.h"
#include "base/file.h"
#include "format/perf/perfdata_notes.h"
#include "resolve/resolver_data.h"
#include "resolve/resolver_stack.h"
#include "session/progress.h"
#include "session/recorded/sort_keys.h"
#include "session/live/sampling_run.h"
#include "source/proc/kernel_maps.h"
#include "recording/recording.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The stack pointer's bits in masks of registers: enum perf_event_x86_regs and those of Arm. */
#define SP_OF_X86   7
#define SP_OF_ARM   13
#define SP_OF_ARM64 31

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

/* What comes through a pipe is read first, to its end. */
static struct wp_err *open_recording(struct wp_sampling *s, const char *path)
{
	struct wp_progress_share share;
	struct wp_watch watch = wp_progress_share_watch(&share);
	struct wp_err *err;

	wp_progress_share_begin(&share, s->io->terminal, "reading standard input",
				wp_clock_now_ns());
	err = wp_recording_open(path, s->options->report.force, s->io->log, &watch, &s->source);
	wp_progress_share_end(&share);
	if (!err)
		wp_recording_budget(s->source, s->budget);
	return err;
}

static struct wp_err *open_recorded(struct wp_sampling *s)
{
	const char *path = s->options->report.input ? s->options->report.input : WP_RECORDED_FILE;
	struct wp_resolver_options options = {.past = true};

	if (s->options->report.symfs && !wp_file_exists(s->options->report.symfs))
		return wp_err_new(WP_ERR_NOT_FOUND, "--symfs %s: there is no such folder",
				  s->options->report.symfs);
	TRY(wp_report_filter_parse(s->options, &s->recorded.filter));
	TRY(wp_report_sort_parse(s->options, &s->recorded.sort));
	TRY(open_recording(s, path));
	options.any_owner = s->options->report.force;
	options.owner = geteuid(); /* of a pipe: who reads it */
	wp_recording_owner(s->source, &options.owner);
	options.unix_offset_ns = wp_recording_unix_ns(s->source, 0);
	options.kernel = copy_events(wp_recording_events(s->source), &s->events);
	wp_event_fields_recorded(&s->fields, wp_recording_head(s->source)->tracepoints,
				 wp_recording_head(s->source)->tracepoints_bytes, &s->events);
	TRY(wp_results_check(s->options, &s->events));
	if (s->options->sampling.wall)
		TRY(wp_wall_begin(&s->wall, &s->events));
	wp_wall_show(&s->wall, &s->events);
	TRY(wp_ratio_check(wp_sampling_shown(s), s->options->tables.ratio));
	s->recorded.debuginfod = wp_debuginfod_new(s->io->log, s->io->interrupted);
	options.places = (struct wp_debug_places){s->options->report.symfs, s->recorded.debuginfod};
	TRY(wp_setup_open(s->options, false, &s->setup));
	wp_sampling_make_resolver(s, &options);
	wp_processes_listen(&s->processes, wp_thread_names_changed, &s->python.threads);
	wp_event_fields_functions(&s->fields, s->resolver);
	s->recorded.sample.of = (struct wp_sample_recorded_parts){
		.source = s->source,
		.resolver = s->resolver,
		.python = &s->python.feed,
		.interpreter_frames = s->options->tables.interpreter_frames,
	};
	s->windows.past = true;
	s->windows.symfs = s->options->report.symfs;
	if (!s->setup.world->offline && other_release(s->source))
		forget_kernel(s);
	return NULL;
}

static bool wants_sample(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	struct wp_sampling_recorded *recorded = &s->recorded;
	bool wants;

	if (!recorded->filter.any)
		return true;
	wants = wp_report_filter_keeps(&recorded->filter, sample) &&
		wp_report_filter_keeps_symbol(&recorded->filter, wp_resolver_symbols(s->resolver),
					      symbol);
	recorded->left_out += !wants;
	return wants;
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

unsigned int wp_recorded_sp_bit(const struct wp_source *source)
{
	const struct wp_recording_head *head = wp_recording_head(source);

	if (!head->arm)
		return SP_OF_X86;
	return head->bits32 ? SP_OF_ARM : SP_OF_ARM64;
}

/* By its first records: the program that the recording is of, and whose kernel it ran on. */
static void look_at_first_records(struct wp_sampling *s, const struct wp_record *record)
{
	struct wp_sampling_image *image = &s->image;

	if (record->kind == WP_RECORD_MAP && s->recorded.sort.needs & WP_SORT_DATA)
		wp_resolver_map_data(s->resolver, record);
	if (record->kind == WP_RECORD_MAP && record->map.kernel && !s->recorded.kernel_seen) {
		s->recorded.kernel_seen = true; /* the kernel's own comes first */
		s->recorded.kernel_id_len = record->map.build_id_len;
		memcpy(s->recorded.kernel_id, record->map.build_id, sizeof(record->map.build_id));
		compare_kernels(s, &record->map);
	}
	if (image->pid || !record->pid || wp_process_change_of(record) != WP_PROCESS_EXECED)
		return;
	image->pid = (pid_t)record->pid;
	s->targeting.target.launched = true; /* sampling_image knows the rest */
}

/*
 * What a recording says of its users is true if it is ours; another's is theirs to write, whatever
 * it says, and one that came through a pipe is anybody's.
 */
static const struct wp_owners *find_owners(struct wp_sampling *s, const struct wp_perfdata_run *run)
{
	struct wp_owners *owners = &s->recorded.owners;
	uint32_t uid;

	if (!wp_recording_owner(s->source, &uid) || !wp_owners_parse(run->owners, owners))
		return NULL;
	wp_owners_add_uid(owners, uid);
	return owners;
}

/* Texts are those of the files here, where the recording was made and nothing changed since. */
static void find_sources(struct wp_sampling *s, const struct wp_perfdata_run *run)
{
	struct wp_python_source *source = &s->python.source;
	struct utsname name = {.nodename = ""};

	uname(&name);
	source->usable = run->has_sources && strcmp(run->host, name.nodename) == 0;
	source->owners = find_owners(s, run);
	source->began = (time_t)run->began;
	source->cwd = *run->cwd ? wp_strdup(run->cwd) : NULL;
}

static void end_recorded(struct wp_sampling *s)
{
	const struct wp_perfdata_run *run = wp_recording_run(s->source);

	for (uint32_t i = 0; i < s->events.events.n; i++) {
		struct wp_event *event = &s->events.events.v[i];

		event->weight = wp_recording_weight(s->source, i);
		if (!event->weight && wp_event_is_off_cpu(event))
			event->weight = WP_WAIT_WEIGHT; /* perf's own */
	}
	wp_wall_show(&s->wall, &s->events);
	if (run->cwd) {
		find_sources(s, run);
		s->image.pid = (pid_t)run->image_pid;
		free(s->image.path);
		s->image.path = *run->image_path ? wp_strdup(run->image_path) : NULL;
	}
	wp_sampling_image_find(&s->image, s->resolver, &s->windows);
}

/* The work is not only reading, but in step with it: samples are resolved as they come. */
static struct wp_err *take_all(struct wp_sampling *s)
{
	const char *path = s->options->report.input ? s->options->report.input : WP_RECORDED_FILE;
	wp_autofree char *what = wp_asprintf("reading %s", path);
	struct wp_progress_share share;
	struct wp_err *err = NULL;
	uint64_t done, all;

	wp_progress_share_begin(&share, s->io->terminal, what, wp_clock_now_ns());
	while (!err && !s->ended && !wp_sampling_is_interrupted(s)) {
		err = wp_sampling_take(s, 0);
		wp_recording_progress(s->source, &done, &all);
		wp_progress_share_tick(&share, wp_clock_now_ns(), done, all);
	}
	wp_progress_share_end(&share);
	return err;
}

struct wp_err *wp_sampling_run_recorded(struct wp_sampling *s)
{
	if (s->wants & WP_SAMPLE_DATA)
		wp_recording_want_data(s->source);
	else if (!(s->wants & (WP_SAMPLE_STACK | WP_SAMPLE_PAYLOAD)) &&
		 !wp_event_set_has_off_cpu(&s->events)) /* how long may be in the payload */
		wp_recording_no_stacks(s->source);
	TRY(s->source->ops->start(s->source));
	TRY(take_all(s));
	s->elapsed_ns = s->source->ops->elapsed_ns(s->source);
	TRY(s->source->ops->stop(s->source));
	end_recorded(s);
	wp_sampling_show_notes(s);
	return NULL;
}

static void make_sample(struct wp_sampling *s, const struct wp_record *record,
			struct wp_sample *ret)
{
	wp_sample_recorded_make(&s->recorded.sample, record, wp_sampling_wanted_stack(s), ret);
}

struct wp_err *wp_sampling_init_recorded(const struct wp_session_options *options,
					 struct wp_session_io *io, struct wp_sampling *ret)
{
	static const struct wp_sampling_way way = {
		.is_recording = true,
		.record = look_at_first_records,
		.wants = wants_sample,
		.make = make_sample,
	};

	wp_sampling_begin(options, io, &way, ret);
	if (options->sampling.call_graph || options->sampling.wakers)
		ret->stack = wp_calloc(1, sizeof(*ret->stack));
	return open_recorded(ret);
}
