/* SPDX-License-Identifier: BSD-3-Clause */
/* session_record: `wperf record`, hot functions of a command that is started for it. */
#include "session/live/sampling_run.h"
#include "session/live/sampling_target.h"

/* The program may have become another one since. */
static void print_last_base(struct wp_sampling *s)
{
	if (s->image.has_base)
		return;
	wp_sampling_find_image(s);
	wp_sampling_print_base(s);
}

struct wp_err *wp_session_record(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	wp_autosampling struct wp_sampling s;
	pid_t started;

	TRY(wp_sampling_init(options, io, WP_TARGETING_RECORD, &s));
	TRY(wp_sampling_begin_command(&s));
	started = s.targeting.target.pids.v[0];
	wp_sampling_print_base(&s);
	wp_sampling_print_modules(&s);
	TRY(wp_sampling_run(&s));
	print_last_base(&s);
	if (s.ended)
		s.ending = wp_asprintf("Sampling stopped, process pid=%d exited with code 0x%x",
				       (int)started, (unsigned int)wp_sampling_command_status(&s));
	TRY(wp_sampling_report(&s));
	*ret_exit = wp_sampling_command_status(&s);
	return NULL;
}
