/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling: see sampling.h. The report's parts that need files are in sampling_report.c. */
#include "session/live/sampling.h"

#include "base/clock.h"
#include "base/invariant.h"
#include "base/str.h"
#include "format/replay/replay_script.h"
#include "session/emit.h"
#include "session/event_filters.h"
#include "session/live/sampling_held.h"
#include "session/live/sampling_names.h"
#include "session/live/sampling_stacks.h"
#include "session/live/sampling_walkers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A part of a second that has its own progress character. */
#define REST_NS (WP_NS_PER_S / 10)

/* perf_event_max_sample_rate of a kernel that nobody set. */
#define KERNEL_HZ 100000

/* How many samples ahead of the one at hand memory is told of. */
#define SOON 8

/* What the kernel refuses is lowered to what it allows. */
static uint64_t rate_of(const struct wp_sampling *s)
{
	int64_t most = s->setup.machine->limits.perf_event_max_sample_rate;
	uint64_t hz = s->options->sampling.freq_hz;

	if (most <= 0)
		most = KERNEL_HZ;
	if (hz <= (uint64_t)most)
		return hz;
	if (hz == WP_SESSION_FREQ_MAX)
		wp_log(s->io->log, WP_LOG_NOTE, "-F max: %" PRId64 " samples a second", most);
	else
		wp_log(s->io->log, WP_LOG_WARNING,
		       "-F %" PRIu64 ": %" PRId64 " samples a second are taken, more are not "
		       "allowed by /proc/sys/kernel/perf_event_max_sample_rate",
		       hz, most);
	return (uint64_t)most;
}

static const struct wp_sampling_way live_way = {.make = wp_sample_live_make};

void wp_sampling_attach(struct wp_sampling *s, struct wp_sink *sink)
{
	wp_assert(sink->ops && sink->ops->sample);
	wp_vec_push(&s->sinks, sink);
	s->wants |= sink->wants;
	if ((s->wants & WP_SAMPLE_STACK) && !s->stack)
		s->stack = wp_calloc(1, sizeof(*s->stack));
}

struct piece {
	const struct wp_catalogue *catalogue;
	uint64_t hz;
};

static struct wp_err *parse_piece(void *arg, const char *list, struct wp_event_set *ret)
{
	const struct piece *piece = arg;

	return wp_event_parse_sampling(piece->catalogue, list, piece->hz, ret);
}

static struct wp_err *parse_events(struct wp_sampling *s)
{
	struct piece piece = {.catalogue = s->setup.catalogue, .hz = rate_of(s)};

	if (s->options->events.list)
		return wp_event_filters_apply(s->options, parse_piece, &piece, &s->events);
	return wp_event_default_sampling(piece.catalogue, piece.hz, &s->events);
}

/* The base name of the image that --pdb_file is for; NULL when none is named. */
static const char *pdb_image(const struct wp_session_options *options)
{
	const char *image =
		options->target.image_name ? options->target.image_name : options->target.pe_file;

	return image ? wp_str_basename(image) : NULL;
}

void wp_sampling_make_resolver(struct wp_sampling *s, const struct wp_resolver_options *options)
{
	struct wp_resolver_options own = *options;
	const struct wp_world *world = s->setup.world;

	own.offline = world->offline;
	own.log = s->io->log;
	own.budget = s->budget;
	own.patience = &s->patience;
	own.pdb = s->options->target.pdb_file;
	own.pdb_image = pdb_image(s->options);
	s->resolver = wp_resolver_new(&own);
	s->windows.closed = own.offline;
	for (size_t i = 0; i < world->n_symbols; i++) {
		const struct wp_replay_symbol *symbol = &world->symbols[i];

		wp_resolver_add_symbol(s->resolver, symbol->path, symbol->start, symbol->size,
				       symbol->name);
	}
}

static void make_feed(struct wp_sampling *s)
{
	struct wp_python_mode mode = s->python.feed.mode;
	const struct wp_world *world = s->setup.world;

	if (world->offline) { /* nobody is there to be walked: records bring all frames */
		s->stack_mode.stacks = WP_STACKS_NONE;
		mode.way = mode.way ? WP_PYTHON_REPLAY : WP_PYTHON_OFF;
	}
	wp_python_feed_init(&s->python.feed, mode, s->resolver, &s->targeting.target, s->io->log);
	s->python.feed.codes.budget = s->budget;
	if (mode.way)
		wp_python_feed_script(&s->python.feed, world->pythons, world->n_pythons);
}

static void keep_note(void *arg, enum wp_log_level level, const char *line)
{
	struct wp_sampling_notes *notes = arg;

	if (level == WP_LOG_NOTE && !notes->shown)
		wp_str_printf(&notes->lines, "%s\n", line);
	else
		wp_log(notes->log, level, "%s", line);
}

void wp_sampling_show_notes(struct wp_sampling *s)
{
	char *rest = s->notes.lines.s, *line;

	s->notes.shown = true;
	while (rest && (line = strsep(&rest, "\n")) && *line)
		wp_log(s->notes.log, WP_LOG_NOTE, "%s", line);
	wp_str_deinit(&s->notes.lines);
}

/* What needs no machine. */
static void begin_sampling(const struct wp_session_options *options, struct wp_session_io *io,
			   struct wp_sampling *ret)
{
	*ret = (struct wp_sampling){
		.options = options,
		.io = &ret->own_io,
		.own_io = *io,
		.notes = {.log = io->log, .held = {.sink = keep_note, .arg = &ret->notes}},
		.image = {.module = WP_NO_MODULE},
		.patience = {.interrupted = io->interrupted},
		.budget = wp_calloc(1, sizeof(*ret->budget)),
	};
	ret->budget->limit =
		options->max_memory_mb ? options->max_memory_mb << 20 : wp_budget_default();
	ret->python.source.budget = ret->budget;
	ret->own_io.log = &ret->notes.held;
}

struct wp_err *wp_sampling_init(const struct wp_session_options *options, struct wp_session_io *io,
				enum wp_targeting_verb verb, struct wp_sampling *ret)
{
	begin_sampling(options, io, ret);
	ret->way = &live_way;
	wp_sampling_data_init(&ret->data, options, verb);
	TRY(wp_stack_mode_parse(options->sampling.call_graph, options->sampling.stacks,
				&ret->stack_mode));
	TRY(wp_python_mode_parse(options->sampling.python, &ret->python.feed.mode));
	if (ret->stack_mode.stacks)
		ret->stack = wp_calloc(1, sizeof(*ret->stack));
	TRY(wp_setup_init(options, ret->io, &ret->setup));
	return wp_targeting_init(options, &ret->setup, verb, &ret->targeting);
}

struct wp_err *wp_sampling_init_recorded(const struct wp_session_options *options,
					 struct wp_session_io *io, struct wp_sampling *ret)
{
	begin_sampling(options, io, ret);
	ret->way = &wp_sampling_recorded_way;
	if (options->sampling.call_graph)
		ret->stack = wp_calloc(1, sizeof(*ret->stack));
	return wp_sampling_open_recorded(ret);
}

struct wp_err *wp_sampling_prepare(struct wp_sampling *s)
{
	struct wp_resolver_options resolver = {.kernel = s->options->target.kernel};

	TRY(parse_events(s));
	resolver.worker = s->worker = wp_worker_new();
	wp_sampling_make_resolver(s, &resolver);
	make_feed(s);
	wp_results_attach(s);
	return wp_emit_prepare(s->options);
}

void wp_sampling_deinit(struct wp_sampling *s)
{
	wp_budget_tell(s->budget, s->notes.log);
	wp_sampling_data_deinit(s);
	if (s->source)
		s->source->ops->close(s->source);
	wp_sampling_close_walkers(s);
	wp_launch_finish(&s->launch);
	/* What the worker is at ends with the program. */
	if (!s->resolver || !wp_resolver_is_stuck(s->resolver)) {
		wp_resolver_free(s->resolver);
		wp_worker_free(s->worker);
		free(s->budget);
	}
	wp_windows_maps_deinit(&s->windows);
	wp_process_ends_deinit(&s->ends);
	wp_held_deinit(&s->held);
	wp_group_reads_deinit(&s->group_reads);
	wp_vec_deinit(&s->sinks);
	wp_results_deinit(&s->results);
	wp_sampling_recorded_deinit(&s->recorded);
	wp_sampling_python_deinit(&s->python);
	wp_sample_live_deinit(&s->live);
	free(s->stack);
	free(s->stack_refusal);
	free(s->image.path);
	free(s->ending);
	wp_str_deinit(&s->notes.lines);
	wp_str_deinit(&s->progress);
	wp_event_set_deinit(&s->events);
	wp_targeting_deinit(&s->targeting);
	wp_setup_deinit(&s->setup);
}

/* What `auto` has come to. */
static void tell_stacks(const struct wp_sampling *s)
{
	if (s->stack_mode.stacks == WP_STACKS_BPF && s->stack_mode.chosen)
		wp_log(s->io->log, WP_LOG_NOTE, "stacks: walked in the kernel (--call-graph bpf)");
	if (s->stack_mode.stacks == WP_STACKS_DUMP && s->stack_mode.chosen)
		wp_log(s->io->log, WP_LOG_NOTE,
		       "stacks: unwound from the registers and a copy of %" PRIu64
		       " bytes of stack (--call-graph dwarf): %s",
		       s->stack_mode.bytes, s->stack_refusal);
}

struct wp_err *wp_sampling_open(struct wp_sampling *s)
{
	struct wp_world *world = s->setup.world;

	wp_priority_raise(&s->priority); /* a command is there already, as it was */
	if (!world->ops->text)
		wp_sampling_python_sources(s);
	if (s->options->target.kernel)
		wp_resolver_kernel_load(s->resolver);
	TRY(wp_sampling_open_walkers(s));
	TRY(wp_sampling_data_open(s));
	s->python.feed.namer.on = wp_sampling_wants_names(s);
	struct wp_source_options options = {
		.events = &s->events,
		.target = &s->targeting.target,
		.machine = s->setup.machine,
		.log = s->io->log,
		.sampling = true,
		.stacks = s->stack_mode.stacks,
		.stack_bytes = s->stack_mode.bytes,
		.walker = s->walk_feed.walker,
		.pinned = s->pinned,
	};

	TRY(world->ops->open(world, &options, &s->source));
	tell_stacks(s);
	wp_setup_reduce_rights(&s->setup, s->options, s->data.path, s->launch.pid != 0);
	return NULL;
}

struct wp_err *wp_sampling_start(struct wp_sampling *s)
{
	TRY(s->source->ops->start(s->source));
	if (s->options->timeout_ns)
		wp_patience_end_at(&s->patience, wp_clock_now_ns() + s->options->timeout_ns);
	return NULL;
}

void wp_sampling_tell_sinks(struct wp_sampling *s, const struct wp_record *record)
{
	wp_vec_each (struct wp_sink *, sink, &s->sinks)
		if ((*sink)->ops->record)
			(*sink)->ops->record(*sink, record);
}

static void tell_one(struct wp_sampling *s, const struct wp_record *record)
{
	wp_resolver_record(s->resolver, record);
	wp_walk_feed_record(&s->walk_feed, record);
	wp_python_feed_record(&s->python.feed, record);
	if (!s->way->is_recording && wp_process_ends_take(&s->ends, record)) {
		wp_walk_feed_end(&s->walk_feed, record->pid);
		wp_python_feed_end(&s->python.feed, record);
	}
	if (s->way->is_recording || s->options->tables.threads)
		wp_thread_names_record(&s->python.threads, record);
	wp_sampling_tell_sinks(s, record);
}

/* What processes do, to everyone who follows it. */
static void tell_record(struct wp_sampling *s, const struct wp_record *record)
{
	size_t n;
	const struct wp_record *records = wp_windows_maps_take(&s->windows, record, &n);

	for (size_t i = 0; i < n; i++)
		tell_one(s, &records[i]);
}

/* Shows the walkers what they were told. */
static void commit(struct wp_sampling *s)
{
	wp_python_feed_commit(&s->python.feed);
	wp_walk_feed_commit(&s->walk_feed); /* and with it what the line above told the walker */
	wp_sampling_tell_walkers(s);
	wp_sampling_name_python_threads(s, false);
}

struct wp_err *wp_sampling_snapshot(struct wp_sampling *s)
{
	struct wp_world *world = s->setup.world;
	struct wp_records records = {0};
	struct wp_err *err = world->ops->snapshot(world, &s->targeting.target, &records);

	wp_vec_each (struct wp_record, record, &records.records) {
		wp_sampling_expect(s, record);
		tell_record(s, record);
	}
	commit(s);
	wp_sampling_name_threads(s, &records);
	wp_records_deinit(&records);
	return err;
}

static void take_member(struct wp_sampling *s, const struct wp_record *record)
{
	struct wp_sample sample = {.record = record};

	sample.symbol = wp_resolver_symbol(s->resolver, record);
	if (s->way->wants && !s->way->wants(s, record, sample.symbol))
		return;
	if (s->wants & WP_SAMPLE_RVA)
		sample.rva = wp_resolver_rva(s->resolver, record);
	s->way->make(s, record, &sample);
	wp_resolver_symbols(s->resolver); /* sinks look at the set: it has all of the sample's */
	wp_assert(sample.n_kernel <= sample.n && (sample.has_stack || !sample.n));
	wp_vec_each (struct wp_sink *, sink, &s->sinks)
		(*sink)->ops->sample(*sink, &sample);
}

/* The sample of a group is one of each member. */
static void take_sample(struct wp_sampling *s, const struct wp_record *record)
{
	const struct wp_sample_data *data = record->sample.data;
	struct wp_record member;

	if (!data || !(data->has & WP_DATA_READING)) {
		take_member(s, record);
		return;
	}
	for (size_t i = 0; i < data->n_readings; i++)
		if (wp_group_reads_take(&s->group_reads, record, i, &member))
			take_member(s, &member);
}

void wp_sampling_take_record(struct wp_sampling *s, const struct wp_record *record)
{
	switch (record->kind) {
	case WP_RECORD_SAMPLE: take_sample(s, record); break;
	case WP_RECORD_LOST:
		s->lost += record->lost.count;
		wp_sampling_tell_sinks(s, record);
		break;
	case WP_RECORD_THROTTLE:
		s->throttled++;
		wp_sampling_tell_sinks(s, record);
		break;
	case WP_RECORD_MAP:
	case WP_RECORD_COMM:
	case WP_RECORD_FORK:
	case WP_RECORD_EXIT:
	case WP_RECORD_CODE:
	case WP_RECORD_CGROUP:
	case WP_RECORD_NAME:
		if (s->way->record)
			s->way->record(s, record);
		if (s->targeting.target.launched)
			wp_sampling_image_follow(&s->image, record);
		tell_record(s, record);
		break;
	case WP_RECORD_COUNT: break;
	}
}

bool wp_sampling_is_interrupted(const struct wp_sampling *s)
{
	return s->io->interrupted && *s->io->interrupted;
}

struct wp_err *wp_sampling_take(struct wp_sampling *s, uint64_t until_ns)
{
	uint64_t elapsed_ns = s->source->ops->elapsed_ns(s->source);
	uint64_t wait_ns = until_ns > elapsed_ns ? until_ns - elapsed_ns : 0;
	struct wp_batch batch;

	if (s->loads && wait_ns > WP_SAMPLING_LOAD_NS)
		wait_ns = WP_SAMPLING_LOAD_NS;
	wait_ns = wp_sampling_entry_wait(s, wait_ns);
	wp_priority_renew(&s->priority);
	TRY(s->source->ops->next(s->source, wp_clock_now_ns() + wait_ns, &batch));
	wp_sampling_entry_look(s);
	/* The dynamic linker, which runs first, is mapped after its program. */
	for (size_t i = s->worker ? batch.n : 0; i-- > 0;)
		wp_sampling_expect(s, &batch.records[i]);
	for (size_t i = 0; i < batch.n && !(s->way->is_recording && wp_sampling_is_interrupted(s));
	     i++) {
		if (i + SOON < batch.n && batch.records[i + SOON].kind == WP_RECORD_SAMPLE)
			wp_resolver_soon(s->resolver, &batch.records[i + SOON]);
		wp_sampling_accept(s, &batch.records[i]);
	}
	s->loads = !wp_sampling_release(s);
	commit(s);
	TRY(wp_sampling_data_round(s));
	wp_sampling_entry_pass(s);
	if (s->launch.pid && wp_launch_ended(&s->launch))
		s->ended = true;
	s->ended |= batch.ended;
	return NULL;
}

/* A command shares our terminal: its progress line is printed in one piece behind its output. */
static void show_line(struct wp_sampling *s, const char *text)
{
	if (!wp_emit_wants_text(s->options))
		return;
	wp_str_puts(&s->progress, text);
	if (s->launch.pid)
		return;
	wp_writer_puts(s->io->out, text);
	wp_writer_flush(s->io->out);
}

/* One character for every second that has passed. */
static void show_progress(struct wp_sampling *s)
{
	uint64_t seconds = s->elapsed_ns / WP_NS_PER_S;

	for (; s->seconds_shown < seconds; s->seconds_shown++) {
		show_line(s, s->samples_seen > s->samples_shown ? "." : "e");
		s->samples_shown = s->samples_seen;
	}
}

/* The last second was not a whole one. */
static void show_rest(struct wp_sampling *s)
{
	uint64_t rest_ns = s->elapsed_ns - s->seconds_shown * WP_NS_PER_S;

	if (!s->seconds_shown || (rest_ns >= REST_NS && s->samples_seen > s->samples_shown))
		show_line(s, s->samples_seen > s->samples_shown ? "." : "e");
}

/* A terminal shows ^C where the line stands: it is written anew below. */
static void show_end(struct wp_sampling *s, bool interrupted)
{
	struct wp_writer *out = s->io->out;
	bool broken = interrupted && wp_writer_is_terminal(out);

	if (!wp_emit_wants_text(s->options))
		return;
	if (broken || s->launch.pid)
		wp_writer_printf(out, "%s%s", broken ? "\n" : "", s->progress.s);
	wp_writer_printf(out, "%s done!\n",
			 interrupted ? " Ctrl-C received, quit counting..." : "");
	wp_writer_flush(out);
}

static bool time_is_up(const struct wp_sampling *s)
{
	return s->options->timeout_ns && s->elapsed_ns >= s->options->timeout_ns;
}

/* When to look up: the next progress character or the end. */
static uint64_t next_pause(const struct wp_sampling *s)
{
	uint64_t until_ns = (s->seconds_shown + 1) * WP_NS_PER_S;

	if (s->options->timeout_ns && s->options->timeout_ns < until_ns)
		return s->options->timeout_ns;
	return until_ns;
}

/* On a terminal whose line was used for something else. */
static void show_again(struct wp_sampling *s)
{
	if (!wp_emit_wants_text(s->options) || s->launch.pid || !wp_writer_is_terminal(s->io->out))
		return;
	wp_writer_puts(s->io->out, s->progress.s);
	wp_writer_flush(s->io->out);
}

/* The events are off, but the rings may still be full. */
static struct wp_err *drain(struct wp_sampling *s)
{
	struct wp_batch batch;

	do {
		TRY(s->source->ops->next(s->source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++)
			wp_sampling_accept(s, &batch.records[i]);
	} while (batch.n);
	if (wp_sampling_release_all(s))
		show_again(s);
	return NULL;
}

struct wp_err *wp_sampling_run(struct wp_sampling *s)
{
	bool interrupted = false;

	s->notes.shown = false; /* none in the middle of the progress line */
	show_line(s, "sampling ");
	for (;;) {
		s->elapsed_ns = s->source->ops->elapsed_ns(s->source);
		show_progress(s);
		interrupted = wp_sampling_is_interrupted(s);
		if (s->ended || interrupted || time_is_up(s))
			break;
		TRY(wp_sampling_take(s, next_pause(s)));
	}
	TRY(s->source->ops->stop(s->source));
	wp_patience_end_at(&s->patience, wp_clock_now_ns());
	s->elapsed_ns = s->source->ops->elapsed_ns(s->source);
	TRY(drain(s));
	wp_sampling_name_python_threads(s, true);
	wp_python_owners_finish(&s->python.feed.owners);
	TRY(wp_sampling_data_close(s));
	show_rest(s);
	if (interrupted)
		s->ended = false; /* whatever the target did because of it */
	show_end(s, interrupted);
	wp_sampling_show_notes(s);
	return NULL;
}
