/* SPDX-License-Identifier: BSD-3-Clause */
/* session_sample: `wperf sample`, hot functions of what already runs. */
#include "base/str.h"
#include "session/emit.h"
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

static void name_image(struct wp_sampling *s)
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

struct wp_err *wp_session_sample(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	wp_autosampling struct wp_sampling s;

	(void)ret_exit;
	TRY(wp_sampling_init(options, io, WP_TARGETING_SAMPLE, &s));
	TRY(check_unique(&s));
	TRY(wp_sampling_prepare(&s));
	/*
	 * Opened first: what is mapped after the look into /proc is then told by the kernel.
	 * Started last: whoever walks stacks knows then what there is.
	 */
	TRY(wp_sampling_open(&s));
	TRY(wp_sampling_snapshot(&s));
	TRY(wp_sampling_start(&s));
	wp_sampling_show_notes(&s);
	if (s.targeting.target.kind == WP_TARGET_PROCESSES && s.targeting.target.pids.n)
		TRY(wp_sampling_await_images(&s, s.targeting.target.pids.v[0]));
	name_image(&s);
	wp_sampling_print_base(&s);
	wp_sampling_print_modules(&s);
	TRY(wp_sampling_run(&s));
	if (s.ended && s.image.pid)
		s.ending = wp_asprintf("Sampling stopped, process pid=%d exited", (int)s.image.pid);
	return wp_sampling_report(&s);
}
