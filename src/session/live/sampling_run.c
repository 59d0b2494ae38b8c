/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_run: see sampling_run.h. */
#include "session/live/sampling_run.h"

#include "base/clock.h"
#include "session/emit.h"
#include "session/live/sampling_held.h"
#include "session/live/sampling_laps.h"
#include "session/live/sampling_names.h"
#include "session/live/sampling_walkers.h"
#include "source/perf/perf_clock.h"

#include <inttypes.h>

#include <string.h>

/* A part of a second that has its own progress character. */
#define REST_NS (WP_NS_PER_S / 10)

/* How many samples ahead of the one at hand memory is told of. */
#define SOON 8

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

/* -W: x86 has latencies beside the weight, as perf takes it. */
static uint32_t carried(const struct wp_sampling *s)
{
	uint32_t parts = s->options->sampling.carried;

	if (parts & WP_DATA_WEIGHT && strcmp(s->setup.machine->arch, "x86_64") == 0)
		parts |= WP_DATA_LATENCY;
	/* What is mapped where Arm SPE's addresses are is told with -d. */
	if (wp_event_set_has_spe(&s->events))
		parts |= WP_DATA_ADDR;
	return parts | (s->branch_type ? WP_DATA_BRANCHES : 0);
}

static struct wp_err *open_data(struct wp_sampling *s)
{
	enum wp_python_way way = s->python.feed.mode.way;
	struct wp_sampling_data_parts parts = {
		.options = s->options,
		.log = s->io->log,
		.events = &s->events,
		.machine = s->setup.machine,
		.resolver = s->resolver,
		.image = &s->image,
		.source = &s->python.source,
		.bytecodes = &s->python.feed.bytecodes,
		.touched = &s->python.feed.touched,
		.tracepoints = &s->fields.bytes,
		.carried = carried(s),
		.branch_type = s->branch_type,
		.stacks = s->stack != NULL || way != WP_PYTHON_OFF,
		.pinned = way == WP_PYTHON_PINNED,
		.switch_asked = s->io->switch_asked,
		.offline = s->setup.world->offline,
	};

	if (wp_event_set_has_spe(&s->events) && !s->setup.world->offline)
		(void)wp_perf_clock_read(&parts.clock);
	TRY(wp_sampling_data_open(&s->data, &parts));
	if (wp_sampling_data_keeps(&s->data))
		wp_sampling_attach(s, &s->data.sink);
	return NULL;
}

struct wp_err *wp_sampling_open(struct wp_sampling *s)
{
	struct wp_world *world = s->setup.world;

	wp_priority_raise(&s->priority); /* a command is there already, as it was */
	if (!world->ops->text)
		wp_sampling_python_sources(&s->python, &s->targeting.target);
	if (s->options->target.kernel || s->waits.wakers.event)
		wp_resolver_kernel_load(s->resolver);
	TRY(wp_sampling_open_walkers(s));
	TRY(open_data(s));
	s->python.feed.namer.on = wp_sampling_wants_names(s);
	s->python.feed.bytecodes.on = wp_sampling_data_keeps(&s->data);
	s->python.feed.bytecodes.budget = s->budget;
	s->python.feed.touched.on = wp_sampling_data_keeps(&s->data);
	s->python.feed.touched.budget = s->budget;
	wp_vec_each (const struct wp_event, event, &s->events.events)
		s->python.feed.bytecodes.places |= event->is_spe;
	struct wp_source_options options = {
		.events = &s->events,
		.target = &s->targeting.target,
		.machine = s->setup.machine,
		.log = s->io->log,
		.sampling = true,
		.payloads = s->fields.bytes.len != 0,
		.carried = carried(s),
		.trace_clock = &s->data.of.clock,
		.keeps_traces = wp_sampling_data_keeps(&s->data),
		.branch_type = s->branch_type,
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

/* What samples name by an id; the kernel itself tells of those that are made from now on. */
static void tell_cgroups(struct wp_sampling *s)
{
	const struct wp_world_ops *ops = s->setup.world->ops;
	struct wp_records records = {0};

	if (!(s->options->sampling.carried & WP_DATA_CGROUP) || !ops->tell_cgroups)
		return;
	ops->tell_cgroups(&records);
	wp_vec_each (struct wp_record, record, &records.records)
		wp_sampling_tell_record(s, record);
	wp_records_deinit(&records);
}

struct wp_err *wp_sampling_start(struct wp_sampling *s)
{
	tell_cgroups(s);
	TRY(s->source->ops->start(s->source));
	if (s->options->timeout_ns)
		wp_patience_end_at(&s->patience, wp_clock_now_ns() + s->options->timeout_ns);
	return NULL;
}

/* Shows the walkers what they were told. */
static void commit(struct wp_sampling *s)
{
	wp_python_feed_commit(&s->python.feed);
	wp_walk_feed_commit(&s->walk_feed); /* and with it what the line above told the walker */
	wp_sampling_tell_walkers(s);
	wp_sampling_name_python_threads(s, false);
	wp_python_feed_bytecodes(&s->python.feed, false);
}

struct wp_err *wp_sampling_snapshot(struct wp_sampling *s)
{
	struct wp_world *world = s->setup.world;
	struct wp_records records = {0};
	struct wp_err *err = world->ops->snapshot(world, &s->targeting.target, &records);

	wp_vec_each (struct wp_record, record, &records.records) {
		wp_sampling_expect(s, record);
		/* Who is in a cgroup is not known. */
		if (s->has_waits && record->kind == WP_RECORD_COMM &&
		    !s->targeting.target.cgroups.n)
			wp_waits_expect(&s->waits, record);
		wp_sampling_tell_record(s, record);
	}
	commit(s);
	wp_sampling_name_threads(s, &records);
	wp_records_deinit(&records);
	return err;
}

struct wp_err *wp_sampling_take(struct wp_sampling *s, uint64_t until_ns)
{
	uint64_t elapsed_ns = s->source->ops->elapsed_ns(s->source);
	uint64_t wait_ns = until_ns > elapsed_ns ? until_ns - elapsed_ns : 0;
	struct wp_batch batch;

	if (s->loads && wait_ns > WP_SAMPLING_LOAD_NS)
		wait_ns = WP_SAMPLING_LOAD_NS;
	if (s->data.sw.on && wait_ns > REST_NS) /* a signal may come right before the wait */
		wait_ns = REST_NS;
	wait_ns = wp_sampling_entry_wait(&s->entry, wait_ns);
	wp_priority_renew(&s->priority);
	TRY(s->source->ops->next(s->source, wp_clock_now_ns() + wait_ns, &batch));
	wp_sampling_entry_look(&s->entry);
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
	TRY(wp_sampling_data_round(&s->data));
	wp_sampling_entry_pass(&s->entry);
	if (s->launch.pid && wp_launch_ended(&s->launch))
		s->ended = true;
	s->ended |= batch.ended;
	return NULL;
}

struct wp_err *wp_sampling_await_images(struct wp_sampling *s, pid_t pid)
{
	while (s->worker && !s->ended && !wp_sampling_is_interrupted(s)) {
		uint64_t now_ns = s->source->ops->elapsed_ns(s->source);

		if ((s->options->timeout_ns && now_ns >= s->options->timeout_ns) ||
		    wp_resolver_has_images(s->resolver, (uint32_t)pid))
			break;
		TRY(wp_sampling_take(s, now_ns + WP_SAMPLING_LOAD_NS));
	}
	return NULL;
}

/* Laps are their own progress. */
static bool shows_progress(const struct wp_sampling *s)
{
	return wp_emit_wants_text(s->options) && !s->laps.length_ns;
}

/* A command shares our terminal: its progress line is printed in one piece behind its output. */
static void show_line(struct wp_sampling *s, const char *text)
{
	if (!shows_progress(s))
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

	if (!shows_progress(s))
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
	if (!shows_progress(s) || s->launch.pid || !wp_writer_is_terminal(s->io->out))
		return;
	wp_writer_puts(s->io->out, s->progress.s);
	wp_writer_flush(s->io->out);
}

/* The events are off, but the rings may still be full. */
static struct wp_err *drain_source(struct wp_sampling *s, uint64_t end_ns)
{
	struct wp_batch batch;

	do {
		TRY(s->source->ops->next(s->source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++)
			wp_sampling_accept(s, &batch.records[i]);
	} while (batch.n);
	wp_sampling_end_waits(s, end_ns);
	if (wp_sampling_release_all(s))
		show_again(s);
	return NULL;
}

struct wp_err *wp_sampling_run(struct wp_sampling *s)
{
	bool interrupted = false;
	uint64_t end_ns;

	s->notes.shown = false; /* none in the middle of the progress line */
	show_line(s, "sampling ");
	for (;;) {
		s->elapsed_ns = s->source->ops->elapsed_ns(s->source);
		show_progress(s);
		interrupted = wp_sampling_is_interrupted(s);
		if (s->ended || interrupted || time_is_up(s) || wp_sampling_laps_over(s))
			break;
		TRY(wp_sampling_laps_look(s));
		TRY(wp_sampling_take(s, wp_sampling_laps_pause(s, next_pause(s))));
	}
	TRY(s->source->ops->stop(s->source));
	end_ns = wp_clock_now_ns();
	wp_patience_end_at(&s->patience, end_ns);
	s->elapsed_ns = s->source->ops->elapsed_ns(s->source);
	TRY(drain_source(s, end_ns));
	wp_sampling_name_python_threads(s, true);
	wp_python_feed_bytecodes(&s->python.feed, true);
	wp_python_owners_finish(&s->python.feed.owners);
	TRY(wp_sampling_data_close(&s->data));
	show_rest(s);
	if (interrupted)
		s->ended = false; /* whatever the target did because of it */
	show_end(s, interrupted);
	wp_sampling_show_notes(s);
	return NULL;
}
