/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling: see sampling.h. The report's parts that need files are in sampling_report.c. */
#include "session/live/sampling.h"

#include "aggregate/ratio_doc.h"
#include "base/invariant.h"
#include "base/str.h"
#include "event/event_wait.h"
#include "format/replay/replay_script.h"
#include "session/emit.h"
#include "session/event_filters.h"
#include "session/live/branch_filter.h"
#include "view/screen/screen_live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* perf_event_max_sample_rate of a kernel that nobody set. */
#define KERNEL_HZ 100000

/* Of warnings and notes that wait for the end of screens. */
#define NOTES_BYTES 65536

/* What the kernel refuses is lowered to what it allows. */
static uint64_t allowed_rate_of(const struct wp_sampling *s)
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

void wp_sampling_attach(struct wp_sampling *s, struct wp_sink *sink)
{
	wp_assert(sink->ops && sink->ops->sample);
	wp_vec_push(&s->sinks, sink);
	s->wants |= sink->wants;
	if ((s->wants & WP_SAMPLE_STACK) && !s->stack)
		s->stack = wp_calloc(1, sizeof(*s->stack));
}

void wp_sampling_attach_results(struct wp_sampling *s)
{
	struct wp_results_parts parts = {
		.options = s->options,
		.resolver = s->resolver,
		.events = wp_sampling_shown(s),
		.stacks = s->stack != NULL,
		.waits = wp_event_set_has_off_cpu(&s->events),
		.laps = s->laps.length_ns != 0,
	};
	struct wp_sink *sinks[WP_RESULTS_SINKS];
	size_t n = wp_results_begin(&s->results, &parts, sinks);

	for (size_t i = 0; i < n; i++)
		wp_sampling_attach(s, sinks[i]);
}

void wp_sampling_fold_idle(struct wp_sampling *s)
{
	s->folds_idle = !s->options->sampling.idle && wp_event_set_has_off_cpu(&s->events);
	if (s->folds_idle)
		s->wants |= WP_SAMPLE_PAYLOAD;
}

struct piece {
	const struct wp_catalogue *catalogue;
	uint64_t hz;
};

static struct wp_err *parse_sampled_piece(void *arg, const char *list, struct wp_event_set *ret)
{
	const struct piece *piece = arg;

	return wp_event_parse_sampling(piece->catalogue, list, piece->hz, ret);
}

/* Without a list those of --wall, or the one of --waits. */
static struct wp_err *parse_sampled_events(struct wp_sampling *s)
{
	struct piece piece = {.catalogue = s->setup.catalogue, .hz = allowed_rate_of(s)};
	const char *list = s->options->sampling.wall ? WP_WALL_EVENTS : WP_EVENT_OFF_CPU;

	if (!s->options->events.list)
		return wp_event_parse_sampling(piece.catalogue, list, piece.hz, &s->events);
	return wp_event_filters_apply(s->options, parse_sampled_piece, &piece, &s->events);
}

/* --wakers: one event more, of all that runs. */
static struct wp_err *add_wakers(struct wp_sampling *s)
{
	if (!s->options->sampling.wakers)
		return NULL;
	TRY(wp_results_check(s->options, &s->events));
	return wp_event_wakers_add(s->setup.machine, &s->events);
}

static bool wants_waits(const struct wp_session_options *options)
{
	return options->sampling.waits || options->sampling.wakers;
}

static struct wp_err *take_default_sampling(struct wp_sampling *s)
{
	if (s->options->events.list || s->wall.on || wants_waits(s->options))
		return NULL;
	return wp_event_default_sampling(s->setup.catalogue, allowed_rate_of(s), &s->events);
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
	own.processes = &s->processes;
	own.log = s->io->log;
	own.budget = s->budget;
	own.patience = &s->patience;
	own.places.interrupted = s->io->interrupted;
	own.pdb = s->options->target.pdb_file;
	own.pdb_image = pdb_image(s->options);
	s->processes.live = !own.offline && !own.past;
	wp_processes_listen(&s->processes, wp_windows_maps_changed, &s->windows);
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

static void keep_unshown_note(void *arg, enum wp_log_level level, const char *line)
{
	struct wp_sampling_notes *notes = arg;

	if ((notes->screens && level < WP_LOG_VERBOSE && notes->lines.len < NOTES_BYTES) ||
	    (level == WP_LOG_NOTE && !notes->shown))
		wp_str_printf(&notes->lines, "%s\n", line);
	else
		wp_log(notes->log, level, "%s", line);
}

void wp_sampling_show_notes(struct wp_sampling *s)
{
	char *rest = s->notes.lines.s, *line;

	if (s->notes.screens)
		return;
	s->notes.shown = true;
	while (rest && (line = strsep(&rest, "\n")) && *line)
		wp_log(s->notes.log, WP_LOG_NOTE, "%s", line);
	wp_str_deinit(&s->notes.lines);
}

void wp_sampling_begin(const struct wp_session_options *options, struct wp_session_io *io,
		       const struct wp_sampling_way *way, struct wp_sampling *ret)
{
	*ret = (struct wp_sampling){
		.options = options,
		.way = way,
		.io = &ret->own_io,
		.own_io = *io,
		.notes = {.log = io->log, .held = {.sink = keep_unshown_note, .arg = &ret->notes}},
		.image = {.module = WP_NO_MODULE},
		.seen = &ret->results,
		.patience = {.interrupted = io->interrupted},
		.budget = wp_calloc(1, sizeof(*ret->budget)),
	};
	ret->budget->limit =
		options->max_memory_mb ? options->max_memory_mb << 20 : wp_budget_default();
	ret->python.source.budget = ret->budget;
	ret->own_io.log = &ret->notes.held;
}

bool wp_sampling_shows_threads(const struct wp_sampling *s)
{
	return s->options->tables.threads || s->laps.length_ns;
}

const struct wp_event_set *wp_sampling_shown(const struct wp_sampling *s)
{
	return s->wall.on ? &s->wall.shown : &s->events;
}

struct wp_sampling_stack *wp_sampling_wanted_stack(struct wp_sampling *s)
{
	return s->wants & WP_SAMPLE_STACK ? s->stack : NULL;
}

static void make_live(struct wp_sampling *s, const struct wp_record *record, struct wp_sample *ret)
{
	wp_sample_live_make(&s->live, record, wp_sampling_wanted_stack(s), ret);
}

struct wp_err *wp_sampling_init(const struct wp_session_options *options, struct wp_session_io *io,
				enum wp_targeting_verb verb, struct wp_sampling *ret)
{
	static const struct wp_sampling_way way = {.make = make_live};

	wp_sampling_begin(options, io, &way, ret);
	wp_sampling_data_init(&ret->data, options, verb);
	TRY(wp_stack_mode_parse(options->sampling.call_graph || options->sampling.wakers,
				options->sampling.stacks, &ret->stack_mode));
	TRY(wp_python_mode_parse(options->sampling.python, &ret->python.feed.mode));
	if (ret->stack_mode.stacks)
		ret->stack = wp_calloc(1, sizeof(*ret->stack));
	TRY(wp_branch_filter_parse(options->sampling.branches, &ret->branch_type));
	TRY(wp_setup_init(options, ret->io, &ret->setup));
	TRY(wp_branch_filter_check(ret->branch_type, ret->setup.machine));
	/* As WindowsPerf: what is wrong with the command line is told before what is not there. */
	if (options->events.list || options->sampling.wall || wants_waits(options))
		TRY(parse_sampled_events(ret));
	TRY(add_wakers(ret));
	TRY(wp_results_check(options, &ret->events));
	if (options->sampling.wall)
		TRY(wp_wall_begin(&ret->wall, &ret->events));
	return wp_targeting_init(options, &ret->setup, verb, &ret->targeting);
}

/* Samples bring their fields where a recording is kept or one is the weight. */
static struct wp_err *describe_events(struct wp_sampling *s)
{
	bool wanted = s->data.path || s->data.holds;

	wp_vec_each (struct wp_event, event, &s->events.events)
		wanted = wanted || event->weight;
	if (wanted && !s->setup.world->offline)
		wp_event_fields_live(&s->fields, s->setup.machine, &s->events);
	s->waits.clock = s->wall.clock;
	s->waits.arch = s->setup.machine->arch;
	s->waits.names.on = s->options->sampling.waits;
	s->waits.number = s->fields.prev_pid;
	s->has_waits = !s->setup.world->offline && wp_event_set_has_off_cpu(&s->events);
	s->waits.wakers.event = s->has_waits ? wp_event_set_wakers(&s->events) : 0;
	if (s->has_waits && !(s->fields.prev_state && s->fields.prev_pid))
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event 'off-cpu': tracefs does not say how sched:sched_switch "
				  "tells the state of a thread");
	return wp_event_fields_check(&s->events);
}

/* For what an interrupt is for that ends a wait. */
static const char *name_kernel_function(void *arg, uint64_t ip)
{
	static const struct wp_record nowhere = {.kind = WP_RECORD_SAMPLE};
	struct wp_resolver *resolver = arg;
	struct wp_rva rva;
	uint32_t id =
		wp_resolver_symbol_at(resolver, &nowhere, (struct wp_va){ip}, WP_MODE_KERNEL, &rva);

	return wp_resolver_symbol_of(resolver, id)->name;
}

/* Samples of Arm SPE come in bulk: there is no stack to be read at their instant. */
static void settle_stacks_of_traces(struct wp_sampling *s)
{
	struct wp_python_mode *python = &s->python.feed.mode;

	wp_vec_each (struct wp_event, event, &s->events.events)
		if (!event->is_spe)
			return;
	if (s->stack_mode.stacks || (python->way && !python->chosen))
		wp_log(s->io->log, WP_LOG_NOTE,
		       "samples of Arm SPE come without stacks and Python frames; name a clock "
		       "beside it for these (-e %s,cpu-clock)",
		       s->events.events.v[0].name);
	s->stack_mode.stacks = WP_STACKS_NONE;
	python->way = WP_PYTHON_OFF;
}

static struct wp_err *check_traces(struct wp_sampling *s)
{
	const struct wp_options_recording *recording = &s->options->recording;
	size_t n = 0;

	wp_vec_each (struct wp_event, event, &s->events.events)
		n += event->is_spe;
	if (!n)
		return NULL;
	if (n > 1)
		return wp_err_new(WP_ERR_USAGE,
				  "only one event of Arm SPE at a time: it has one set of filters; "
				  "arm_spe// is that of all CPUs");
	if (recording->switch_output || recording->snapshot)
		return wp_err_new(WP_ERR_USAGE,
				  "what Arm SPE writes is kept in one piece: no --switch-output or "
				  "--snapshot with it");
	if (recording->compress)
		wp_log(s->io->log, WP_LOG_NOTE, "-z: recordings of Arm SPE are not compressed");
	if (!s->setup.world->offline)
		settle_stacks_of_traces(s);
	return NULL;
}

struct wp_err *wp_sampling_prepare(struct wp_sampling *s)
{
	struct wp_resolver_options resolver = {.kernel = s->options->target.kernel ||
							 s->options->sampling.wakers};

	TRY(take_default_sampling(s));
	TRY(check_traces(s));
	TRY(wp_setup_find_probes(&s->setup, &s->targeting.target, &s->events));
	TRY(describe_events(s));
	wp_wall_show(&s->wall, &s->events);
	TRY(wp_ratio_check(wp_sampling_shown(s), s->options->tables.ratio));
	resolver.worker = s->worker = wp_worker_new();
	wp_sampling_make_resolver(s, &resolver);
	make_feed(s);
	wp_processes_listen(&s->processes, wp_walk_feed_changed, &s->walk_feed);
	wp_processes_listen(&s->processes, wp_python_feed_changed, &s->python.feed);
	if (wp_sampling_shows_threads(s))
		wp_processes_listen(&s->processes, wp_thread_names_changed, &s->python.threads);
	s->live.of = (struct wp_sample_live_parts){
		.resolver = s->resolver,
		.python = &s->python.feed,
		.walk = &s->walk_feed,
		.interpreter_frames = s->options->tables.interpreter_frames,
	};
	s->waits.wakers.kernel_name = name_kernel_function;
	s->waits.wakers.arg = s->resolver;
	wp_sampling_attach_results(s);
	wp_sampling_fold_idle(s);
	return wp_emit_prepare(s->options);
}

void wp_sampling_deinit(struct wp_sampling *s)
{
	wp_autostr struct wp_str unseen = {0}; /* of a command that failed */

	wp_screen_live_close(s->laps.live);
	wp_kept_laps_deinit(&s->laps.kept);
	wp_budget_tell(s->budget, s->notes.log);
	wp_python_touched_tell(&s->python.feed.touched, s->notes.log);
	if (s->resolver)
		wp_resolver_tell_lines(s->resolver, s->notes.log);
	wp_sampling_data_deinit(&s->data);
	if (s->source)
		s->source->ops->close(s->source);
	wp_walk_feed_close(&s->walk_feed);
	wp_pinned_close(s->pinned);
	wp_launch_finish(&s->launch);
	wp_kept_output_close(s->output, &unseen);
	/* What the worker is at ends with the program. */
	if (!s->resolver || !wp_resolver_is_stuck(s->resolver)) {
		wp_resolver_free(s->resolver);
		wp_worker_free(s->worker);
		free(s->budget);
		wp_processes_deinit(&s->processes);
	}
	wp_windows_maps_deinit(&s->windows);
	wp_held_deinit(&s->held);
	wp_waits_deinit(&s->waits);
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
	wp_event_fields_deinit(&s->fields);
	wp_wall_deinit(&s->wall);
	wp_event_set_deinit(&s->events);
	wp_targeting_deinit(&s->targeting);
	wp_setup_deinit(&s->setup);
}

void wp_sampling_tell_sinks(struct wp_sampling *s, const struct wp_record *record)
{
	wp_vec_each (struct wp_sink *, sink, &s->sinks)
		if ((*sink)->ops->record)
			(*sink)->ops->record(*sink, record);
}

static void tell_one(struct wp_sampling *s, const struct wp_record *record)
{
	wp_processes_take(&s->processes, record);
	if (record->kind == WP_RECORD_CODE)
		wp_python_feed_code(&s->python.feed, record);
	wp_sampling_tell_sinks(s, record);
}

void wp_sampling_tell_record(struct wp_sampling *s, const struct wp_record *record)
{
	size_t n;
	const struct wp_record *records = wp_windows_maps_take(&s->windows, record, &n);

	for (size_t i = 0; i < n; i++)
		tell_one(s, &records[i]);
	/* Data is followed by nobody here; it is for those who read the recording. */
	if (!n && record->kind == WP_RECORD_MAP && record->map.data && !s->way->is_recording)
		wp_sampling_tell_sinks(s, record);
}

static void give_sample(struct wp_sampling *s, const struct wp_sample *sample)
{
	struct wp_sample shown = *sample;
	struct wp_record record;
	bool idle;

	if (s->wall.on) {
		record = *sample->record;
		wp_wall_take(&s->wall, &record);
		shown.record = &record;
	}
	idle = s->folds_idle &&
	       wp_idle_waits_take(&s->results.idle, &shown, wp_resolver_symbols(s->resolver));
	wp_vec_each (struct wp_sink *, sink, &s->sinks)
		if (!idle || (*sink)->wants & WP_SAMPLE_IDLE)
			(*sink)->ops->sample(*sink,
					     (*sink)->wants & WP_SAMPLE_OPENED ? sample : &shown);
}

static void take_member(struct wp_sampling *s, const struct wp_record *record)
{
	const struct wp_event *event = &s->events.events.v[record->sample.event];
	struct wp_sample sample = {.record = record, .is_wait = wp_event_is_off_cpu(event)};
	struct wp_record weighed;

	if (event->weight && !s->way->is_recording) {
		weighed = *record;
		wp_event_fields_weigh(event, &weighed.sample);
		sample.record = record = &weighed;
	}
	sample.symbol = wp_resolver_symbol(s->resolver, record);
	if (s->way->wants && !s->way->wants(s, record, sample.symbol))
		return;
	if (s->wants & WP_SAMPLE_RVA)
		sample.rva = wp_resolver_rva(s->resolver, record);
	s->way->make(s, record, &sample);
	wp_assert(sample.n_kernel <= sample.n && (sample.has_stack || !sample.n));
	give_sample(s, &sample);
}

/* The sample of a group is one of each member. */
static void take_sample_members(struct wp_sampling *s, const struct wp_record *record)
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
	case WP_RECORD_SAMPLE: take_sample_members(s, record); break;
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
		wp_sampling_tell_record(s, record);
		break;
	case WP_RECORD_AUX:
	case WP_RECORD_RUNS: wp_sampling_tell_sinks(s, record); break;
	case WP_RECORD_SWITCH: /* waits.c has had it */
	case WP_RECORD_COUNT: break;
	}
}

bool wp_sampling_is_interrupted(const struct wp_sampling *s)
{
	return s->io->interrupted && *s->io->interrupted;
}
