/* SPDX-License-Identifier: BSD-3-Clause */
/* session_top: `wperf top`, what is hot now, interval after interval. */
#include "base/clock.h"
#include "session/live/sampling_laps.h"
#include "session/live/sampling_run.h"
#include "session/live/sampling_target.h"

/* Whoever is not told what to watch watches everything, as perf top does. */
static bool names_target(const struct wp_options_target *target)
{
	return target->all || target->pids || target->cpus || target->cgroups || target->user ||
	       target->image_name || target->command;
}

/* What makes a table takes a millisecond or two, and nobody reads faster. */
#define LEAST_NS (100 * WP_NS_PER_MS)

static struct wp_err *check_delay(const struct wp_options_top *top)
{
	if (top->delay_ns >= LEAST_NS)
		return NULL;
	return wp_err_new(WP_ERR_USAGE, "-d %.6g ms: an interval has 100 ms or more",
			  (double)top->delay_ns / WP_NS_PER_MS);
}

/* How the target ended; NULL: it did not. */
static char *ending_of(struct wp_sampling *s, bool started)
{
	const struct wp_target *target = &s->targeting.target;
	int pid = target->pids.n ? (int)target->pids.v[0] : 0;

	if (!s->ended || !pid)
		return NULL;
	if (started)
		return wp_asprintf("process %d exited with code 0x%x", pid,
				   (unsigned int)wp_sampling_command_status(s));
	return target->pids.n == 1 ? wp_asprintf("process %d exited", pid)
				   : wp_strdup("the processes exited");
}

struct wp_err *wp_session_top(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit)
{
	struct wp_session_options own = *options;
	bool starts = options->target.command != NULL;

	TRY(check_delay(&options->top));
	wp_autosampling struct wp_sampling s;

	own.recording.none = true; /* nor the one that is kept of a command */
	own.target.all |= !names_target(&own.target);
	TRY(wp_sampling_init(&own, io, starts ? WP_TARGETING_RECORD : WP_TARGETING_SAMPLE, &s));
	wp_sampling_laps_begin(&s, options->top.delay_ns, options->top.count);
	if (options->output.screens && !wp_event_set_has_spe(&s.events))
		wp_sampling_data_hold(&s.data, WP_KEPT_LAPS_NS, WP_KEPT_LAPS_BYTES);
	TRY(starts ? wp_sampling_begin_command(&s) : wp_sampling_begin_running(&s));
	TRY(wp_sampling_run(&s));
	s.ending = ending_of(&s, starts);
	TRY(wp_sampling_laps_linger(&s));
	TRY(wp_sampling_laps_end(&s));
	if (starts)
		*ret_exit = wp_sampling_command_status(&s);
	return NULL;
}
