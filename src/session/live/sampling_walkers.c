/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_walkers: see sampling_walkers.h. */
#include "session/live/sampling_walkers.h"

#include "base/clock.h"
#include "session/follow/python_expect.h"
#include "session/follow/python_guess.h"
#include "session/live/sampling.h"

#include <linux/perf_event.h>
#include <stdlib.h>

/* Samples a second up to which pinned readers cost little enough to be taken without being asked
 * for. */
#define PINNED_HZ 1000

/* Nobody else reads the Python frames of a thread that stops. */
#define WITHOUT_BPF "without BPF: --python off --call-graph dwarf"

static uint64_t event_rate_of(const struct wp_event *event)
{
	if (event->freq_hz)
		return event->freq_hz;
	return event->is_clock && event->period ? WP_NS_PER_S / event->period : 0;
}

/* A reader is woken by every sample of every process: not for programs that are no Pythons. */
static bool worth_pinning(const struct wp_sampling *s)
{
	uint64_t hz = 0;

	wp_vec_each (struct wp_event, event, &s->events.events)
		hz += event_rate_of(event);
	return hz <= PINNED_HZ || !s->targeting.command || wp_python_guess(s->targeting.command[0]);
}

/* The better way to read Python frames is refused, and `auto` is free to take another one. */
static void fall_back(struct wp_sampling *s, const char *why)
{
	bool pinned = worth_pinning(s);

	s->python.feed.mode.way = pinned ? WP_PYTHON_PINNED : WP_PYTHON_OFF;
	free(s->python.refusal);
	s->python.refusal = wp_asprintf("Python frames are read by pinned readers "
					"(--python=pinned): %s",
					why);
	if (!pinned)
		wp_log(s->io->log, WP_LOG_NOTE,
		       "Python frames are not read at more than %d samples a second of a program "
		       "that seems to be no Python (--python=pinned)",
		       PINNED_HZ);
}

/* As the walker tells them apart. */
static bool has_tracepoint(const struct wp_event_set *events)
{
	wp_vec_each (struct wp_event, event, &events->events)
		if (wp_event_tracepoint(event))
			return true;
	return false;
}

static bool has_probe(const struct wp_event_set *events)
{
	wp_vec_each (struct wp_event, event, &events->events)
		if (event->probe)
			return true;
	return false;
}

/*
 * Loading what walks Python frames takes some tenths of a second: before the start where a Python
 * may run already or the command names one, else when one shows up.
 */
static enum wp_bpf_python when_python(const struct wp_sampling *s)
{
	if (s->python.feed.mode.way != WP_PYTHON_BPF)
		return WP_BPF_PYTHON_NEVER;
	return !s->targeting.command || wp_python_guess_command(s->targeting.command)
		       ? WP_BPF_PYTHON_NOW
		       : WP_BPF_PYTHON_LATER;
}

/*
 * `auto` walks in the kernel where it may; elsewhere it copies native stacks, and a pinned reader
 * reads Python's.
 */
static struct wp_err *open_walker(struct wp_sampling *s)
{
	struct wp_python_mode *python = &s->python.feed.mode;
	bool native = s->stack_mode.stacks == WP_STACKS_BPF, wants = python->way == WP_PYTHON_BPF;
	struct wp_walk_feed_options options = {
		.target = &s->targeting.target,
		.log = s->io->log,
		.native = native,
		.gil = s->options->sampling.gil || wp_sampling_shows_threads(s) || s->has_waits,
		.calls = s->has_waits,
		.files = s->options->sampling.waits,
		.wakers = s->waits.wakers.event != 0,
		.tasks = s->options->sampling.async,
		.no_tracepoints = !has_tracepoint(&s->events),
		.no_probes = !has_probe(&s->events),
		.python = when_python(s),
	};
	struct wp_err *err;

	if (!native && !wants && !options.files && !options.wakers)
		return NULL;
	err = wp_walk_feed_open(&s->walk_feed, s->resolver, &options);
	if (err && options.files)
		return wp_err_prefix(err, "--waits");
	if (err && options.wakers)
		return wp_err_prefix(err, "--wakers");
	if (err && s->has_waits)
		return wp_err_prefix(err, "event 'off-cpu' (" WITHOUT_BPF ")");
	if (!err || (native && !s->stack_mode.chosen) || (wants && !python->chosen))
		return err;
	if (native) {
		s->stack_mode.stacks = WP_STACKS_DUMP;
		s->stack_refusal = wp_strdup(err->text);
	}
	if (wants)
		fall_back(s, err->text);
	wp_log(s->io->log, WP_LOG_VERBOSE, "%s", err->text);
	wp_err_free(err);
	return NULL;
}

static void set_bpf_python(void *arg, uint32_t pid, const struct wp_python_plan *plans, size_t n,
			   const struct wp_python_like *like)
{
	struct wp_walk_feed *feed = arg;

	wp_bpf_walker_set_python(feed->walker, pid, plans, n, like);
	wp_bpf_maps_commit(wp_bpf_walker_maps(feed->walker));
	for (size_t i = 0; i < n; i++)
		if (plans[i].flags & WP_PYTHON_CFRAME)
			wp_walk_feed_want(feed, pid);
}

static void expect_bpf_python(void *arg, const struct stat *program, uint64_t code,
			      const struct wp_python_plan *plan, const struct wp_python_like *like)
{
	const struct wp_walk_feed *feed = arg;

	wp_bpf_walker_expect(feed->walker, program, code, plan, like);
}

static uint64_t bpf_python_ns(void *arg)
{
	const struct wp_walk_feed *feed = arg;

	return wp_bpf_walker_python_ns(feed->walker);
}

static void set_pinned_python(void *arg, uint32_t pid, const struct wp_python_plan *plans, size_t n,
			      const struct wp_python_like *like)
{
	(void)like;
	wp_pinned_set_python(arg, pid, plans, n);
}

static void expect_pinned_python(void *arg, const struct stat *program, uint64_t code,
				 const struct wp_python_plan *plan,
				 const struct wp_python_like *like)
{
	wp_pinned_expect(arg, program, code, plan, like);
}

static struct wp_err *open_pinned(struct wp_sampling *s)
{
	struct wp_pinned_options options = {
		.log = s->io->log,
		.gil = s->options->sampling.gil || wp_sampling_shows_threads(s),
		.tasks = s->options->sampling.async,
	};

	return wp_pinned_open(&options, &s->pinned);
}

struct wp_err *wp_sampling_open_walkers(struct wp_sampling *s)
{
	struct wp_python_walker walker = {.set = set_bpf_python,
					  .finds = true,
					  .expect = expect_bpf_python,
					  .since_ns = bpf_python_ns,
					  .arg = &s->walk_feed};

	TRY(open_walker(s));
	if (s->has_waits && s->python.feed.mode.way == WP_PYTHON_PINNED)
		return wp_err_new(WP_ERR_USAGE,
				  "event 'off-cpu': pinned readers see threads that run, not those "
				  "that stop: --python bpf, or off");
	switch (s->python.feed.mode.way) {
	case WP_PYTHON_PINNED:
		TRY(open_pinned(s));
		walker = (struct wp_python_walker){
			.set = set_pinned_python, .expect = expect_pinned_python, .arg = s->pinned};
		break;
	case WP_PYTHON_BPF: break;
	default: return NULL;
	}
	wp_python_feed_connect(&s->python.feed, &walker);
	wp_python_seen_read(&s->python.feed.seen);
	if (s->targeting.command || s->targeting.target.kind != WP_TARGET_PROCESSES)
		wp_python_expect(&s->python.feed, s->targeting.command);
	return NULL;
}

void wp_sampling_tell_walkers(struct wp_sampling *s)
{
	if (!s->python.refusal || !s->python.feed.met)
		return;
	wp_log(s->io->log, WP_LOG_NOTE, "%s", s->python.refusal);
	free(s->python.refusal);
	s->python.refusal = NULL;
}
