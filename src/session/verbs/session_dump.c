/* SPDX-License-Identifier: BSD-3-Clause */
/* session_dump: `wperf dump`, what every thread of some processes is doing now. */
#include "session/emit.h"
#include "session/live/dumping.h"

#include <unistd.h>

static struct wp_err *check_dump(const struct wp_session_options *options)
{
	if (options->target.pids)
		return NULL;
	return wp_err_new(WP_ERR_USAGE, "nothing to dump: name processes with -p PID");
}

/* A child that ends, or that is not ours to read, keeps nobody from the others. */
static void dump_children(struct wp_dumping *dumping, pid_t pid)
{
	struct wp_procfs_ids children = {0};

	wp_procfs_descendants(pid, &children);
	wp_vec_each (pid_t, child, &children.ids) {
		wp_autoerr struct wp_err *err =
			*child == getpid() ? NULL : wp_dumping_process(dumping, (uint32_t)*child);

		if (err && wp_procfs_alive(*child))
			wp_log(dumping->io->log, WP_LOG_WARNING, "%s", err->text);
	}
	wp_vec_deinit(&children.ids);
}

static struct wp_err *dump_process(struct wp_dumping *dumping, pid_t pid)
{
	TRY(wp_dumping_process(dumping, (uint32_t)pid));
	if (dumping->options->target.descendants)
		dump_children(dumping, pid);
	return NULL;
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
		TRY(dump_process(&dumping, *pid));
	wp_dump_doc_end(&dumping.dump);
	return wp_emit(options, io, dumping.dump.doc);
}
