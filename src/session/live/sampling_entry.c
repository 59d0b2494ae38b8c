/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_entry: see sampling_entry.h. */
#include "session/live/sampling_entry.h"

#include "base/clock.h"
#include "session/follow/python_guess.h"

#include <string.h>
#include <unistd.h>

#define LOOK_NS	    (WP_NS_PER_MS / 10) /* while it may be standing */
#define RUN_LOOK_NS WP_NS_PER_MS	/* while a program runs that may become another one */
#define PATIENCE_NS (2 * WP_NS_PER_S)	/* before it is let go whatever is not known */

/*
 * A program that gets rights by its exec (setuid, file capabilities) does not get them while
 * somebody without them follows it: then only a Python is followed, and only one that gets none.
 */
void wp_sampling_entry_open(struct wp_sampling_entry *entry,
			    const struct wp_sampling_entry_parts *of,
			    const struct wp_targeting *targeting)
{
	char *const *command = targeting->command;
	bool privileged = geteuid() == 0;

	if (!of->launch->pid || of->python->mode.way == WP_PYTHON_OFF ||
	    targeting->target.kind != WP_TARGET_PROCESSES)
		return;
	if (!privileged && !wp_python_guess_is_plain(command[0]))
		return;
	wp_launch_follow(of->launch);
	entry->of = *of;
	entry->on = true;
	entry->more = privileged ? wp_python_guess_starts_others(command[0]) : true;
}

uint64_t wp_sampling_entry_wait(const struct wp_sampling_entry *entry, uint64_t wait_ns)
{
	uint64_t most;

	if (!entry->on)
		return wait_ns;
	most = entry->of.launch->entry.state == WP_ENTRY_EXECS && entry->started ? RUN_LOOK_NS
										 : LOOK_NS;
	return wait_ns > most ? most : wait_ns;
}

/* All breakpoints of the processor may be taken, or another tracer was first. */
static void stop_following(struct wp_sampling_entry *entry)
{
	entry->on = false;
	if (entry->of.launch->entry.refused)
		wp_log(entry->of.log, WP_LOG_VERBOSE,
		       "the command cannot be stopped at its entry: %s",
		       strerror(entry->of.launch->entry.refused));
}

void wp_sampling_entry_look(struct wp_sampling_entry *entry)
{
	uint64_t now;

	if (!entry->on)
		return;
	/* Before it is asked: nothing of the program had run by then. It stands since then or
	 * later. */
	now = wp_clock_now_ns();
	switch (wp_launch_entry(entry->of.launch)) {
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
	case WP_ENTRY_OFF: stop_following(entry); return;
	}
	wp_python_feed_stands(entry->of.python, (uint32_t)entry->of.launch->pid, now);
}

static bool program_has_python(const struct wp_sampling_entry *entry)
{
	const struct wp_python_process *process = wp_python_processes_find(
		&entry->of.python->processes, (uint32_t)entry->of.launch->pid);

	return process && process->pythons.n > 0;
}

static void tell_waited(const struct wp_sampling_entry *entry, bool known)
{
	uint64_t stood_ns = wp_clock_now_ns() - entry->since_ns;

	wp_log(entry->of.log, known ? WP_LOG_VERBOSE : WP_LOG_NOTE,
	       "the command stood at its entry for %.1f ms%s", (double)stood_ns / WP_NS_PER_MS,
	       known ? "" : "; what it has mapped could not be learnt before");
}

void wp_sampling_entry_pass(struct wp_sampling_entry *entry)
{
	bool known, python;

	if (!entry->on || !entry->since_ns)
		return;
	known = entry->of.source->ops->settled(entry->of.source, entry->since_ns) &&
		!entry->of.held->n;
	if (!known && wp_clock_now_ns() - entry->since_ns < PATIENCE_NS)
		return;
	python = program_has_python(entry);
	if (python && entry->of.walker)
		wp_bpf_walker_await_python(entry->of.walker);
	tell_waited(entry, known);
	wp_launch_release(entry->of.launch, !python && entry->more);
	entry->since_ns = 0;
	entry->started = true;
}
