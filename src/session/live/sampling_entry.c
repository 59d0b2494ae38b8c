/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_entry: see sampling_entry.h. */
#include "session/live/sampling_entry.h"

#include "base/clock.h"
#include "session/follow/python_guess.h"
#include "session/live/sampling.h"

#include <string.h>
#include <unistd.h>

#define LOOK_NS	    (WP_NS_PER_MS / 10) /* while it may be standing */
#define RUN_LOOK_NS WP_NS_PER_MS	/* while a program runs that may become another one */
#define PATIENCE_NS (2 * WP_NS_PER_S)	/* before it is let go whatever is not known */

/*
 * A program that gets rights by its exec (setuid, file capabilities) does not get them while
 * somebody without them follows it: then only a Python is followed, and only one that gets none.
 */
void wp_sampling_entry_open(struct wp_sampling *s)
{
	char *const *command = s->targeting.command;
	bool privileged = geteuid() == 0;

	if (!s->launch.pid || s->python.feed.mode.way == WP_PYTHON_OFF ||
	    s->targeting.target.kind != WP_TARGET_PROCESSES)
		return;
	if (!privileged && !wp_python_guess_is_plain(command[0]))
		return;
	wp_launch_follow(&s->launch);
	s->entry.on = true;
	s->entry.more = privileged ? wp_python_guess_starts_others(command[0]) : true;
}

uint64_t wp_sampling_entry_wait(const struct wp_sampling *s, uint64_t wait_ns)
{
	uint64_t most =
		s->launch.entry.state == WP_ENTRY_EXECS && s->entry.started ? RUN_LOOK_NS : LOOK_NS;

	return s->entry.on && wait_ns > most ? most : wait_ns;
}

/* All breakpoints of the processor may be taken, or another tracer was first. */
static void stop_following(struct wp_sampling *s)
{
	s->entry.on = false;
	if (s->launch.entry.refused)
		wp_log(s->io->log, WP_LOG_VERBOSE, "the command cannot be stopped at its entry: %s",
		       strerror(s->launch.entry.refused));
}

void wp_sampling_entry_look(struct wp_sampling *s)
{
	struct wp_sampling_entry *entry = &s->entry;
	uint64_t now;

	if (!entry->on)
		return;
	/* Before it is asked: nothing of the program had run by then. It stands since then or
	 * later. */
	now = wp_clock_now_ns();
	switch (wp_launch_entry(&s->launch)) {
	case WP_ENTRY_STOPPED:
		if (!entry->since_ns)
			entry->since_ns = wp_clock_now_ns();
		break;
	case WP_ENTRY_LINKS: break;
	case WP_ENTRY_EXECS:
		if (entry->started)
			return;
		break;
	case WP_ENTRY_LEAVING: return;
	case WP_ENTRY_OFF: stop_following(s); return;
	}
	wp_python_feed_stands(&s->python.feed, (uint32_t)s->launch.pid, now);
}

static bool has_python(struct wp_sampling *s)
{
	const struct wp_python_process *process =
		wp_python_processes_find(&s->python.feed.processes, (uint32_t)s->launch.pid);

	return process && process->pythons.n > 0;
}

static void tell_waited(const struct wp_sampling *s, bool known)
{
	uint64_t stood_ns = wp_clock_now_ns() - s->entry.since_ns;

	wp_log(s->io->log, known ? WP_LOG_VERBOSE : WP_LOG_NOTE,
	       "the command stood at its entry for %.1f ms%s", (double)stood_ns / WP_NS_PER_MS,
	       known ? "" : "; what it has mapped could not be learnt before");
}

void wp_sampling_entry_pass(struct wp_sampling *s)
{
	struct wp_sampling_entry *entry = &s->entry;
	bool known, python;

	if (!entry->on || !entry->since_ns)
		return;
	known = s->source->ops->settled(s->source, entry->since_ns) && !s->held.n;
	if (!known && wp_clock_now_ns() - entry->since_ns < PATIENCE_NS)
		return;
	python = has_python(s);
	if (python && s->walk_feed.walker)
		wp_bpf_walker_await_python(s->walk_feed.walker);
	tell_waited(s, known);
	wp_launch_release(&s->launch, !python && entry->more);
	entry->since_ns = 0;
	entry->started = true;
}
