/* SPDX-License-Identifier: BSD-3-Clause */
/* session_sample: `wperf sample`, hot functions of what already runs. */
#include "session/live/sampling_run.h"
#include "session/live/sampling_target.h"

struct wp_err *wp_session_sample(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	wp_autosampling struct wp_sampling s;

	(void)ret_exit;
	TRY(wp_sampling_init(options, io, WP_TARGETING_SAMPLE, &s));
	TRY(wp_sampling_begin_running(&s));
	wp_sampling_print_base(&s);
	wp_sampling_print_modules(&s);
	TRY(wp_sampling_run(&s));
	if (s.ended && s.image.pid)
		s.ending = wp_asprintf("Sampling stopped, process pid=%d exited", (int)s.image.pid);
	return wp_sampling_report(&s);
}
