/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_target: see sampling_target.h. */
#include "session/live/sampling_target.h"

#include "base/clock.h"
#include "base/str.h"
#include "session/live/sampling_run.h"

#include <errno.h>
#include <string.h>

/* A name is meant to name one process. */
static struct wp_err *check_unique(const struct wp_sampling *s)
{
	const struct wp_session_options *options = s->options;
	const struct wp_target *target = &s->targeting.target;
	wp_autostr struct wp_str list = {0};

	if (options->target.pids || options->target.user || target->kind != WP_TARGET_PROCESSES ||
	    target->pids.n < 2)
		return NULL;
	wp_vec_each (pid_t, pid, &target->pids)
		wp_str_printf(&list, "%s%d", list.len ? ", " : "", (int)*pid);
	return wp_err_new(WP_ERR_USAGE, "%zu processes have the image '%s' (%s): choose with -p",
			  target->pids.n,
			  options->target.image_name ? options->target.image_name
						     : options->target.pe_file,
			  list.s);
}

static void name_running(struct wp_sampling *s)
{
	const struct wp_target *target = &s->targeting.target;

	if (target->kind != WP_TARGET_PROCESSES || !target->pids.n)
		return;
	s->image.pid = target->pids.v[0];
	s->setup.world->ops->process(s->setup.world, s->image.pid, &s->image.path, NULL);
	wp_sampling_image_find(&s->image, s->resolver, &s->windows);
	if (!s->image.has_base)
		wp_log(s->io->log, WP_LOG_NOTE, "failed to query base address of '%s' with %d",
		       s->image.path ? wp_str_basename(s->image.path) : "the process", ESRCH);
}

struct wp_err *wp_sampling_begin_running(struct wp_sampling *s)
{
	TRY(check_unique(s));
	TRY(wp_sampling_prepare(s));
	/*
	 * Opened first: what is mapped after the look into /proc is then told by the kernel.
	 * Started last: whoever walks stacks knows then what there is.
	 */
	TRY(wp_sampling_open(s));
	TRY(wp_sampling_snapshot(s));
	TRY(wp_sampling_start(s));
	wp_sampling_show_notes(s);
	if (s->targeting.target.kind == WP_TARGET_PROCESSES && s->targeting.target.pids.n)
		TRY(wp_sampling_await_images(s, s->targeting.target.pids.v[0]));
	name_running(s);
	return NULL;
}

/* How long the line about the image may wait for the command's exec. */
#define EXEC_WAIT_NS (WP_NS_PER_S / 5)
#define WINE_WAIT_NS (5 * WP_NS_PER_S)

/* Starts the command, held. */
static struct wp_err *hold_command(struct wp_sampling *s)
{
	struct wp_target *target = &s->targeting.target;
	struct wp_world *world = s->setup.world;
	struct wp_sudo_user user;

	if (s->options->output.screens) {
		TRY(wp_kept_output_open(&s->output));
		s->launch.output = wp_kept_output_end(s->output);
	}
	if (s->options->target.as_user)
		TRY(wp_sudo_user_find(&user));
	TRY(world->ops->launch(world, s->targeting.command,
			       s->options->target.as_user ? &user : NULL, target, &s->launch));
	if (s->output)
		wp_kept_output_started(s->output);
	if (!target->pids.n)
		return wp_err_new(
			WP_ERR_USAGE,
			"the script has no launched process: want `process ... launched`");
	s->image.pid = target->pids.v[0];
	return NULL;
}

/*
 * The Windows program that the command names, and that runs. Wine may leave it to another process,
 * if it is of the other machine.
 */
static bool has_windows(struct wp_sampling *s)
{
	struct wp_va start;
	uint32_t pid;

	for (char *const *word = s->targeting.command; word && *word; word++)
		if (wp_str_has_suffix(*word, ".exe")) {
			if (!wp_windows_maps_named(&s->windows, *word, &pid))
				return false;
			s->image.pid = (pid_t)pid;
			return true;
		}
	return wp_windows_maps_program(&s->windows, (uint32_t)s->image.pid, &start);
}

/* Wine has much to do before it is the program that it was started for. */
static bool awaits_windows(struct wp_sampling *s)
{
	uint64_t elapsed_ns = s->source->ops->elapsed_ns(s->source);
	const char *program = s->targeting.command ? s->targeting.command[0] : "";

	return wp_str_has_prefix(wp_str_basename(program), "wine") && s->launch.pid &&
	       !has_windows(s) && elapsed_ns < WINE_WAIT_NS &&
	       !(s->io->interrupted && *s->io->interrupted) &&
	       !(s->options->timeout_ns && elapsed_ns >= s->options->timeout_ns);
}

static void follow_entry(struct wp_sampling *s)
{
	struct wp_sampling_entry_parts parts = {
		.launch = &s->launch,
		.source = s->source,
		.python = &s->python.feed,
		.walker = s->walk_feed.walker,
		.held = &s->held,
		.log = s->io->log,
	};

	wp_sampling_entry_open(&s->entry, &parts, &s->targeting);
}

/* Lets it go and waits until it is known which program it became. */
static struct wp_err *release_command(struct wp_sampling *s)
{
	follow_entry(s);
	if (s->launch.pid)
		TRY(wp_launch_go(&s->launch));
	wp_sampling_show_notes(s);
	while (!s->image.path && !s->ended && s->source->ops->elapsed_ns(s->source) < EXEC_WAIT_NS)
		TRY(wp_sampling_take(s, EXEC_WAIT_NS));
	while (!s->ended && awaits_windows(s))
		TRY(wp_sampling_take(s, s->source->ops->elapsed_ns(s->source) + EXEC_WAIT_NS));
	if (s->image.path)
		TRY(wp_sampling_await_images(s, s->image.pid));
	wp_sampling_image_find(&s->image, s->resolver, &s->windows);
	return NULL;
}

struct wp_err *wp_sampling_begin_command(struct wp_sampling *s)
{
	TRY(wp_sampling_prepare(s));
	TRY(hold_command(s));
	TRY(wp_sampling_open(s));
	TRY(wp_sampling_start(s));
	if (s->targeting.target.kind == WP_TARGET_CPUS)
		TRY(wp_sampling_snapshot(s));
	return release_command(s);
}

void wp_sampling_find_image(struct wp_sampling *s)
{
	if (s->launch.pid)
		has_windows(s);
	wp_sampling_image_find(&s->image, s->resolver, &s->windows);
}

/* One that we ended has no status of its own. */
int wp_sampling_command_status(struct wp_sampling *s)
{
	return s->ended ? s->setup.world->ops->end(s->setup.world, &s->launch).status : 0;
}
