/* SPDX-License-Identifier: BSD-3-Clause */
/* session_dump: `wperf dump`, what every thread of some processes is doing now. */
#include "session/emit.h"
#include "session/live/dumping.h"

static struct wp_err *check_dump(const struct wp_session_options *options)
{
	if (options->target.pids)
		return NULL;
	return wp_err_new(WP_ERR_USAGE, "nothing to dump: name processes with -p PID");
}

struct wp_err *wp_session_dump(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	(void)ret_exit;
	TRY(check_dump(options));
	wp_autodumping struct wp_dumping dumping;

	TRY(wp_dumping_init(options, io, &dumping));
	TRY(wp_emit_prepare(options));
	wp_vec_each (pid_t, pid, &dumping.targeting.target.pids)
		TRY(wp_dumping_process(&dumping, (uint32_t)*pid));
	wp_dump_doc_end(&dumping.dump);
	return wp_emit(options, io, dumping.dump.doc);
}
