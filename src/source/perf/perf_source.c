/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_source: see perf_source.h. */
#include "source/perf/perf_source.h"

#include "base/clock.h"
#include "core/process.h"
#include "core/wake.h"
#include "source/bpf/bpf_args.h"
#include "source/bpf/bpf_join.h"
#include "source/bpf/bpf_walker.h"
#include "source/bpf/code_join.h"
#include "source/perf/perf_counts.h"
#include "source/perf/perf_entry.h"
#include "source/perf/perf_merge.h"
#include "source/perf/perf_spe.h"
#include "source/perf/perf_watch.h"
#include "source/pinned/pinned.h"

#include <stdlib.h>
#include <string.h>

/* The rings are looked at as often at least, whether the kernel wakes us or not. */
#define DRAIN_NS (25 * WP_NS_PER_MS)
/*
 * And more often for a while after an exec: whoever walks stacks is to know what the new program
 * maps before it does much.
 */
#define BRISK_NS      (2 * WP_NS_PER_MS)
#define BRISK_LAST_NS (100 * WP_NS_PER_MS)
#define EXEC_DUE_NS   WP_NS_PER_S /* a launched command's own exec */
/* How long an interrupt may take between stamping a record and finishing it (a virtual CPU may be
 * taken away in between). */
#define HOLD_NS (10 * WP_NS_PER_MS)

struct perf_source {
	struct wp_source source;
	struct wp_source_options options;
	struct wp_perf_set set;
	struct wp_perf_watch watch;
	struct wp_perf_merge merge;
	struct wp_perf_spe spe;
	struct wp_perf_layout layout;
	struct wp_perf_layout whole_layout; /* of samples in the rings of walks */
	struct wp_perf_stack *stack;	    /* the layout's; NULL without stacks */
	struct wp_perf_data *data;	    /* NULL: samples have nothing else */
	struct wp_perf_count_records counts;
	struct wp_bpf_walker *walker; /* or NULL */
	struct wp_bpf_args *args;     /* NULL: no probe's arguments are read */
	struct wp_bpf_join join;
	struct wp_code_join codes;
	struct wp_pinned *pinned; /* NULL: nobody reads Python frames that way */
	bool running, started_before;
	uint64_t started_ns, stopped_ns;
	uint64_t read_ns;	 /* when `counts` were read */
	uint64_t round_ns;	 /* when the last look at the rings began */
	uint64_t still_ns;	 /* who is watched has written nothing since; 0: it runs */
	uint64_t delivered_ns;	 /* the horizon of what was delivered last */
	bool left;		 /* something older was left in a ring */
	uint64_t brisk_until_ns; /* when an exec is long ago */
	uint64_t reported_lost;	 /* by LOST records delivered so far */
	uint64_t whole;		 /* samples that came with their walks */
	uint64_t malformed;
};

static struct perf_source *perf_self(struct wp_source *source)
{
	return (struct perf_source *)source;
}

static void look_often(struct perf_source *perf, uint64_t for_ns)
{
	uint64_t until_ns = wp_clock_now_ns() + for_ns;

	if (perf->brisk_until_ns < until_ns)
		perf->brisk_until_ns = until_ns;
}

/* What its pieces lack of a long line table is read from the process, when they are delivered. */
static void take_code_record(struct perf_source *perf, size_t ring, const struct wp_record *record)
{
	if (record->code.lines_captured && record->code.lines_captured < record->code.lines_len)
		look_often(perf, 2 * HOLD_NS);
	wp_code_join_code(&perf->codes, ring, record);
	wp_perf_merge_add(&perf->merge, record);
}

static void take_lines_piece(struct perf_source *perf, size_t ring,
			     const struct wp_bpf_lines *lines)
{
	const struct wp_record *whole = wp_code_join_lines(&perf->codes, ring, lines);

	if (whole)
		wp_perf_merge_add(&perf->merge, whole);
}

/* What the BPF program wrote: a code object is a record of its own, a walk a part of one. */
static void take_walk(struct perf_source *perf, size_t ring, const void *bytes, size_t size)
{
	enum wp_walk_kind kind = wp_bpf_walk_kind(bytes, size);
	struct wp_bpf_lines lines;
	struct wp_record record;

	if (kind == WP_WALK_WAKE)
		return;
	if (kind == WP_WALK_CODE && wp_bpf_walk_parse_code(bytes, size, &record))
		take_code_record(perf, ring, &record);
	else if (kind == WP_WALK_LINES && wp_bpf_walk_parse_lines(bytes, size, &lines))
		take_lines_piece(perf, ring, &lines);
	else if (kind == WP_WALK_CODE || kind == WP_WALK_LINES)
		perf->malformed++;
	else
		wp_bpf_join_walk(&perf->join, ring, bytes, size);
}

/* What a ring of walks holds: a walk whose sample is in perf's ring, or both in one. */
static void take_walked(struct perf_source *perf, size_t ring, const void *bytes, size_t size)
{
	struct wp_record sample;

	if (!wp_bpf_walk_identifier(bytes, size)) {
		wp_bpf_join_walk(&perf->join, ring, bytes, size);
		return;
	}
	if (wp_perf_record_parse(&perf->whole_layout, bytes, size, &sample) != WP_PERF_PARSED) {
		perf->malformed++;
		return;
	}
	wp_bpf_join_whole(&perf->join, bytes, size, &sample);
	wp_perf_merge_add(&perf->merge, &sample);
	perf->whole++;
}

/* Gives a sample its walk: all that were made up to it are looked through. */
static void join_walk(struct perf_source *perf, size_t ring, struct wp_record *sample)
{
	struct wp_bpf_ring *walks = wp_bpf_walker_ring(perf->walker, ring);
	const void *bytes;
	size_t size;

	while ((bytes = wp_bpf_ring_peek(walks, &size)) &&
	       wp_bpf_walk_time(bytes, size) <= sample->time_ns) {
		take_walked(perf, ring, bytes, size);
		wp_bpf_ring_pass(walks, size);
	}
	wp_bpf_join_sample(&perf->join, ring, sample);
}

/* The walks up to a place whose samples, too, were in perf's ring when that was looked at. */
static void take_walks(struct perf_source *perf, size_t ring, uint64_t end)
{
	struct wp_bpf_ring *walks = wp_bpf_walker_ring(perf->walker, ring);
	const void *bytes;
	size_t size;

	while (walks->tail < end && (bytes = wp_bpf_ring_peek(walks, &size))) {
		take_walked(perf, ring, bytes, size);
		wp_bpf_ring_pass(walks, size);
	}
}

/* Of a sample that has a walk: not that of an interrupt, which ended a wait. */
static bool has_walk(const struct perf_source *perf, const struct wp_record *sample)
{
	const struct wp_event *event = &perf->set.options->events->events.v[sample->sample.event];
	struct wp_wake wake;

	if (!event->waking_id)
		return true;
	if (!sample->sample.payload || sample->sample.payload_bytes < WP_WAKE_BYTES(0))
		return false;
	memcpy(&wake, sample->sample.payload, WP_WAKE_BYTES(0));
	return wake.walked;
}

/* False when the record, and what is behind it, is to stay in the ring. */
static bool take_ring_record(struct perf_source *perf, size_t ring, const void *bytes, size_t size)
{
	struct wp_record record;
	enum wp_perf_parsed parsed;

	if (perf->walker &&
	    wp_bpf_walker_wrote(perf->walker, ring, wp_bpf_walk_identifier(bytes, size))) {
		take_walk(perf, ring, bytes, size);
		return true;
	}
	if (perf->args && wp_bpf_args_take(perf->args, ring, bytes, size))
		return true;
	if (wp_perf_spe_take(&perf->spe, &perf->set, &perf->layout, ring, bytes, size,
			     &perf->merge))
		return true;
	parsed = wp_perf_record_parse(&perf->layout, bytes, size, &record);
	if (perf->set.mode.unsaid_periods && parsed == WP_PERF_PARSED &&
	    record.kind == WP_RECORD_SAMPLE)
		record.sample.period =
			perf->set.options->events->events.v[record.sample.event].period;
	if (perf->set.mode.entries && parsed == WP_PERF_PARSED && record.kind == WP_RECORD_SAMPLE)
		wp_perf_entry_take(&perf->set.mode,
				   &perf->set.options->events->events.v[record.sample.event],
				   perf->stack, &record);
	if (perf->pinned && parsed == WP_PERF_PARSED &&
	    wp_pinned_leaves(perf->pinned, ring, perf->set.rings.v[ring].tail - size,
			     record.time_ns))
		return false;
	perf->malformed += parsed == WP_PERF_MALFORMED;
	if (perf->pinned)
		wp_pinned_take(perf->pinned, bytes, size,
			       parsed == WP_PERF_PARSED ? &record : NULL);
	if (parsed != WP_PERF_PARSED)
		return true;
	/* It counts walks and arguments too; how many samples there were is read at the end. */
	if ((perf->walker || perf->args) && record.kind == WP_RECORD_LOST &&
	    perf->set.mode.has_lost)
		return true;
	wp_perf_spe_learn(&perf->spe, &record);
	if (wp_process_change_of(&record) == WP_PROCESS_EXECED)
		look_often(perf, BRISK_LAST_NS);
	if (record.kind == WP_RECORD_LOST)
		perf->reported_lost += record.lost.count;
	if (perf->args && record.kind == WP_RECORD_SAMPLE)
		wp_bpf_args_join(perf->args, ring, &record);
	if (perf->walker && record.kind == WP_RECORD_SAMPLE && has_walk(perf, &record))
		join_walk(perf, ring, &record);
	wp_perf_merge_add(&perf->merge, &record);
	return true;
}

static void drain_ring(struct perf_source *perf, struct wp_perf_ring *ring)
{
	size_t index = (size_t)(ring - perf->set.rings.v), size;
	struct wp_bpf_ring *walks = perf->walker ? wp_bpf_walker_ring(perf->walker, index) : NULL;
	uint64_t settled = walks ? wp_bpf_ring_begin(walks) : 0;
	const void *bytes;

	wp_perf_ring_begin(ring);
	/* Once more after it: then the walks of all its samples are seen. */
	if (walks)
		wp_bpf_ring_begin(walks);
	while ((bytes = wp_perf_ring_next(ring, &size)))
		if (!take_ring_record(perf, index, bytes, size)) {
			wp_perf_ring_unread(ring, size);
			perf->left = true;
			settled = 0;
			break;
		}
	wp_perf_ring_end(ring);
	if (!walks)
		return;
	take_walks(perf, index, settled);
	wp_bpf_ring_end(walks);
}

/* Moves everything that is in the rings now, but for what readers have yet to see, to the merge. */
static void drain_all_rings(struct perf_source *perf)
{
	perf->left = false;
	wp_perf_merge_begin(&perf->merge);
	if (perf->pinned)
		wp_pinned_collect(perf->pinned, &perf->merge);
	wp_vec_each (struct wp_perf_ring, ring, &perf->set.rings) {
		if (perf->pinned)
			wp_pinned_ring(perf->pinned, ring);
		drain_ring(perf, ring);
	}
}

/* The records that are not younger than the horizon, complete. */
static struct wp_batch take_batch(struct perf_source *perf, uint64_t horizon_ns)
{
	struct wp_batch batch;

	if (perf->pinned)
		horizon_ns = wp_pinned_horizon(perf->pinned, horizon_ns);
	perf->delivered_ns = perf->left ? 0 : horizon_ns;
	batch = wp_perf_merge_take(&perf->merge, horizon_ns);
	if (perf->pinned)
		wp_pinned_settle(perf->pinned, &batch, horizon_ns);
	return batch;
}

/*
 * One look at the rings. What is older than the look before this one has been written by every
 * CPU: all of it came with this look at the latest.
 */
static struct wp_batch round_of(struct perf_source *perf)
{
	uint64_t now = wp_clock_now_ns(), horizon = perf->round_ns;

	wp_perf_spe_flush(&perf->spe, &perf->set, now);
	drain_all_rings(perf);
	perf->round_ns = now;
	if (horizon > now - HOLD_NS)
		horizon = now - HOLD_NS;
	if (perf->spe.on && horizon > perf->spe.flushed_ns)
		horizon = perf->spe.flushed_ns;
	if (!perf->left && horizon < perf->still_ns)
		horizon = perf->still_ns;
	return take_batch(perf, horizon);
}

static bool perf_settled(struct wp_source *source, uint64_t still_ns)
{
	struct perf_source *perf = perf_self(source);

	perf->still_ns = still_ns;
	return perf->delivered_ns >= still_ns;
}

/* The kernel says in a LOST record what it dropped only when there is room again: the rest. */
static struct wp_err *add_lost(struct perf_source *perf, uint64_t now)
{
	struct wp_record record = {.kind = WP_RECORD_LOST, .cpu = WP_ANY_CPU, .time_ns = now};
	uint64_t lost;

	if (!perf->options.sampling || !perf->set.mode.has_lost)
		return NULL;
	TRY(wp_perf_counts_read(&perf->set));
	lost = wp_perf_counts_lost(&perf->set);
	if (lost <= perf->reported_lost)
		return NULL;
	record.lost.count = lost - perf->reported_lost;
	perf->reported_lost = lost;
	wp_perf_merge_add(&perf->merge, &record);
	return NULL;
}

static struct wp_err *perf_start(struct wp_source *source)
{
	struct perf_source *perf = perf_self(source);
	bool by_exec = perf->set.mode.enable_on_exec && !perf->started_before;

	TRY(wp_perf_counts_begin(&perf->set));
	if (perf->pinned)
		TRY(wp_pinned_start(perf->pinned, &perf->set, &perf->layout));
	perf->started_ns = wp_clock_now_ns();
	wp_perf_spe_start(&perf->spe, by_exec, perf->started_ns);
	perf->running = true;
	perf->started_before = true;
	if (by_exec) {
		perf->brisk_until_ns = perf->started_ns + EXEC_DUE_NS;
		return wp_perf_set_enable_shared(&perf->set); /* the rest runs by its exec */
	}
	TRY(wp_perf_set_enable_dummies(&perf->set));
	return wp_perf_set_enable(&perf->set);
}

/* Waits for the next reason to look; false when a signal ended the waiting. */
static bool wait_a_while(struct perf_source *perf, uint64_t until_ns)
{
	uint64_t now = wp_clock_now_ns();
	uint64_t soon = now + (now < perf->brisk_until_ns ? BRISK_NS : DRAIN_NS);

	if (perf->options.sampling && until_ns > soon)
		until_ns = soon;
	return wp_perf_watch_wait(&perf->watch, until_ns);
}

/* Everything that is left; after it there is nothing. */
static struct wp_batch flush_merge(struct perf_source *perf)
{
	wp_perf_merge_begin(&perf->merge);
	return take_batch(perf, WP_FOREVER);
}

static struct wp_err *deliver_rest(struct perf_source *perf, struct wp_batch *ret)
{
	if (perf->pinned)
		wp_pinned_stop(perf->pinned);
	drain_all_rings(perf);
	TRY(add_lost(perf, wp_clock_now_ns()));
	*ret = take_batch(perf, WP_FOREVER);
	ret->ended = ret->n == 0;
	return NULL;
}

static struct wp_err *perf_next(struct wp_source *source, uint64_t until_ns, struct wp_batch *ret)
{
	struct perf_source *perf = perf_self(source);
	struct wp_batch batch = {0};
	bool undisturbed;

	if (!perf->running) {
		*ret = flush_merge(perf);
		return NULL;
	}
	do {
		if (wp_perf_watch_ended(&perf->watch))
			return deliver_rest(perf, ret);
		undisturbed = wait_a_while(perf, until_ns);
		if (perf->options.sampling)
			batch = round_of(perf);
	} while (undisturbed && batch.n == 0 && wp_clock_now_ns() < until_ns);
	*ret = batch;
	return NULL;
}

static struct wp_err *perf_counts(struct wp_source *source, struct wp_batch *ret)
{
	struct perf_source *perf = perf_self(source);

	TRY(wp_perf_counts_read(&perf->set));
	perf->read_ns = wp_clock_now_ns();
	perf->counts.v.n = 0;
	wp_perf_counts_records(&perf->set, perf->read_ns, &perf->counts);
	*ret = (struct wp_batch){.records = perf->counts.v.v, .n = perf->counts.v.n};
	return NULL;
}

static void perf_lap(struct wp_source *source)
{
	struct perf_source *perf = perf_self(source);

	wp_perf_counts_lap(&perf->set);
	perf->started_ns = perf->read_ns;
}

static struct wp_err *perf_stop(struct wp_source *source)
{
	struct perf_source *perf = perf_self(source);

	if (!perf->running)
		return NULL;
	TRY(wp_perf_set_disable(&perf->set));
	perf->stopped_ns = wp_clock_now_ns();
	perf->running = false;
	if (!perf->options.sampling)
		return NULL;
	if (perf->pinned)
		wp_pinned_stop(perf->pinned);
	drain_all_rings(perf);
	return add_lost(perf, perf->stopped_ns);
}

static uint64_t perf_elapsed_ns(struct wp_source *source)
{
	struct perf_source *perf = perf_self(source);

	if (!perf->started_before)
		return 0;
	return (perf->running ? wp_clock_now_ns() : perf->stopped_ns) - perf->started_ns;
}

static void report_source_trouble(const struct perf_source *perf)
{
	uint64_t damaged = perf->malformed + perf->join.malformed;

	wp_vec_each (struct wp_perf_ring, ring, &perf->set.rings)
		damaged += ring->damaged;
	for (size_t i = 0; perf->walker && i < perf->set.rings.n; i++)
		damaged += wp_bpf_walker_ring(perf->walker, i)->damaged;
	if (damaged)
		wp_log(perf->options.log, WP_LOG_WARNING,
		       "%llu records from the kernel could not be read",
		       (unsigned long long)damaged);
	if (perf->whole)
		wp_log(perf->options.log, WP_LOG_VERBOSE,
		       "%llu samples were written in one with their stacks",
		       (unsigned long long)perf->whole);
	if (perf->merge.late)
		wp_log(perf->options.log, WP_LOG_VERBOSE,
		       "%llu records came too late to be put in order",
		       (unsigned long long)perf->merge.late);
}

static void perf_close(struct wp_source *source)
{
	struct perf_source *perf = perf_self(source);

	report_source_trouble(perf);
	if (perf->pinned)
		wp_pinned_stop(perf->pinned);
	wp_perf_watch_deinit(&perf->watch);
	wp_bpf_args_close(perf->args);
	wp_perf_spe_close(&perf->spe, perf->options.log);
	wp_perf_set_deinit(&perf->set);
	wp_perf_merge_deinit(&perf->merge);
	wp_vec_deinit(&perf->counts.v);
	wp_bpf_join_deinit(&perf->join);
	wp_code_join_deinit(&perf->codes);
	free(perf->stack);
	free(perf->data);
	free(perf);
}

static const struct wp_source_ops perf_ops = {
	.name = "perf_event",
	.start = perf_start,
	.next = perf_next,
	.counts = perf_counts,
	.lap = perf_lap,
	.settled = perf_settled,
	.stop = perf_stop,
	.elapsed_ns = perf_elapsed_ns,
	.close = perf_close,
};

/* Of what the set's events write into the rings. */
static void set_layouts(struct perf_source *perf)
{
	perf->layout = (struct wp_perf_layout){
		.sample_type = wp_perf_attr_sample_type(&perf->set.mode),
		.sample_id_all = true,
		.event_of_id = &perf->set.event_of_id,
		.regs = wp_perf_attr_regs(),
		.read_format = wp_perf_attr_read_format(&perf->set.mode),
		.stack = perf->stack,
		.data = perf->data,
		.payloads = perf->set.mode.payloads,
		.switches = perf->set.mode.waits,
	};
	wp_perf_layout_shape(&perf->layout, wp_perf_attr_regs_intr(&perf->set.mode),
			     perf->set.mode.inherit);
	perf->whole_layout = perf->layout;
	perf->whole_layout.sample_type = WP_PERF_SAMPLE_TYPE;
	perf->whole_layout.data = NULL;
}

/* What reads the arguments of probes, before whoever walks their stacks. */
static struct wp_err *open_args(struct perf_source *perf)
{
	TRY(wp_bpf_args_open(&perf->set, &perf->args));
	if (!perf->args)
		return NULL;
	return wp_bpf_args_attach(perf->args,
				  perf->walker ? wp_bpf_walker_probe(perf->walker) : -1);
}

struct wp_err *wp_perf_source_open(const struct wp_source_options *options, struct wp_source **ret)
{
	struct perf_source *perf = wp_calloc(1, sizeof(*perf));
	struct wp_err *err;

	perf->source.ops = &perf_ops;
	perf->options = *options;
	err = wp_perf_set_open(&perf->options,
			       options->walker ? wp_bpf_walker_event(options->walker) : -1,
			       &perf->set);
	if (err) {
		free(perf);
		return err;
	}
	if (options->sampling)
		perf->pinned = options->pinned;
	wp_perf_watch_init(&perf->watch, &perf->set,
			   perf->pinned ? wp_pinned_full_fd(perf->pinned) : -1);
	if (perf->set.mode.stacks || perf->set.mode.entries)
		perf->stack = wp_calloc(1, sizeof(*perf->stack));
	if (perf->set.mode.groups || perf->set.mode.carried)
		perf->data = wp_calloc(1, sizeof(*perf->data));
	set_layouts(perf);
	perf->join.event_of_id = &perf->set.event_of_id;
	perf->walker = options->walker;
	if (perf->walker)
		err = wp_bpf_walker_attach(perf->walker, &perf->set);
	if (!err)
		err = open_args(perf);
	if (!err)
		err = wp_perf_spe_open(&perf->set, &perf->spe);
	/* From here on nothing that the processes map or start is missed. */
	if (!err && options->sampling && !perf->set.mode.enable_on_exec)
		err = wp_perf_set_enable_dummies(&perf->set);
	if (err) {
		perf_close(&perf->source);
		return err;
	}
	*ret = &perf->source;
	return NULL;
}
