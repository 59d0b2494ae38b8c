/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_held: see sampling_held.h. */
#include "session/live/sampling_held.h"

#include "base/clock.h"
#include "session/progress.h"
#include "session/live/sampling.h"

#include <stdlib.h>
#include <time.h>

#define HELD_MAX (64u << 20)

void wp_sampling_expect(struct wp_sampling *s, const struct wp_record *record)
{
	/* Of whole CPUs only what samples meet is loaded; most of what is mapped is never met. */
	bool eager = s->targeting.target.kind == WP_TARGET_PROCESSES;
	bool rules =
		s->stack_mode.stacks == WP_STACKS_BPF || s->stack_mode.stacks == WP_STACKS_DUMP;

	if (record->kind == WP_RECORD_MAP && record->map.data && s->targeting.target.data)
		return; /* any file, not only the headers of Windows images */
	if (eager && rules)
		wp_resolver_expect(s->resolver, record, true);
}

static bool is_ready(struct wp_sampling *s, const struct wp_record *record)
{
	return !s->worker || record->kind != WP_RECORD_SAMPLE ||
	       wp_sampling_try_stack(s->resolver, s->stack, record);
}

static void take_first(struct wp_sampling *s)
{
	wp_sampling_take_record(s, wp_held_first(&s->held));
	wp_held_drop(&s->held);
}

static void take_ready(struct wp_sampling *s)
{
	while (s->held.n && is_ready(s, wp_held_first(&s->held)))
		take_first(s);
}

static void accept_in_turn(struct wp_sampling *s, const struct wp_record *record)
{
	if (!s->held.n && is_ready(s, record)) {
		wp_sampling_take_record(s, record);
		return;
	}
	wp_held_add(&s->held, record);
	while (s->held.bytes > HELD_MAX) {
		take_first(s);
		take_ready(s);
	}
}

/* Who ended it comes first. */
static void accept_wait(struct wp_sampling *s, const struct wp_record *wait)
{
	if (s->waits.waker)
		accept_in_turn(s, s->waits.waker);
	accept_in_turn(s, wait);
}

void wp_sampling_accept(struct wp_sampling *s, const struct wp_record *record)
{
	const struct wp_record *wait;

	s->samples_seen += record->kind == WP_RECORD_SAMPLE;
	s->waits.followed = s->entry.on ? (uint32_t)s->launch.pid : 0;
	if (!s->has_waits ||
	    !wp_waits_take(&s->waits, &s->events, s->fields.prev_state, record, &wait))
		accept_in_turn(s, record);
	else if (wait)
		accept_wait(s, wait);
}

void wp_sampling_end_waits(struct wp_sampling *s, uint64_t end_ns)
{
	const struct wp_record *wait;
	size_t i = 0;

	while (s->has_waits && (wait = wp_waits_finish(&s->waits, end_ns, &i)))
		accept_wait(s, wait);
	wp_waits_tell(&s->waits, s->io->log);
}

bool wp_sampling_release(struct wp_sampling *s)
{
	bool idle = wp_resolver_refresh(s->resolver);

	take_ready(s);
	return idle && !s->held.n;
}

/* Nothing else is to be done any more: what the worker loads is waited for, and that is shown. */
static bool await_held(struct wp_sampling *s)
{
	const struct timespec pause = {.tv_nsec = 2 * WP_NS_PER_MS};
	struct wp_progress_share share;
	size_t all = s->held.n, before;
	bool idle;

	wp_progress_share_begin(&share, s->io->terminal, "resolving samples", wp_clock_now_ns());
	do {
		before = s->held.n;
		idle = wp_resolver_refresh(s->resolver);
		take_ready(s);
		wp_progress_share_tick(&share, wp_clock_now_ns(), all - s->held.n, all);
		if (!idle)
			nanosleep(&pause, NULL);
	} while (s->held.n && (!idle || s->held.n < before) && !wp_resolver_is_stuck(s->resolver));
	return wp_progress_share_end(&share);
}

bool wp_sampling_release_all(struct wp_sampling *s)
{
	bool shown = s->held.n && s->io->terminal && await_held(s);

	while (s->held.n)
		take_first(s);
	return shown;
}
