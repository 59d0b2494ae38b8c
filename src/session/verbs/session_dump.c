/* SPDX-License-Identifier: BSD-3-Clause */
/* session_dump: `wperf dump`, what every thread of some processes is doing now. */
#include "session/emit.h"
#include "session/follow/python_guess.h"
#include "session/live/dumping.h"
#include "session/recorded/last_stacks.h"
#include "session/recorded/sampling_recorded.h"
#include "session/report/empty.h"

#include <inttypes.h>
#include <unistd.h>

/* --frames, and what a recording cannot answer. */
static struct wp_err *check_recorded(const struct wp_session_options *options,
				     struct wp_last_stacks *ret)
{
	const struct wp_options_target *target = &options->target;

	if (target->core || target->all || target->descendants || target->kernel ||
	    options->exports.locals || options->sampling.async)
		return wp_err_new(WP_ERR_USAGE, "-i FILE: of a recording only -p, -t, --time and "
						"--frames choose something");
	return wp_dumping_frames(options->exports.frames, &ret->native, &ret->python);
}

static struct wp_err *dump_recording(const struct wp_session_options *options,
				     struct wp_session_io *io, struct wp_last_stacks *last)
{
	wp_autosampling struct wp_sampling s;
	struct wp_dump_doc dump;
	struct wp_err *err;

	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_emit_prepare(options));
	wp_last_stacks_attach(last, &s);
	TRY(wp_sampling_run_recorded(&s));
	if (last->left_out)
		wp_log(io->log, WP_LOG_WARNING,
		       "%" PRIu64 " samples found no room: choose fewer with --time or -p",
		       last->left_out);
	wp_empty_tell_samples(&s, last->threads.n);
	wp_dump_doc_init(&dump);
	wp_last_stacks_put(last, &dump);
	wp_dump_doc_end(&dump);
	err = wp_emit(options, io, dump.doc);
	wp_doc_free(dump.doc);
	return err;
}

static struct wp_err *check_dump(const struct wp_session_options *options)
{
	const struct wp_options_target *target = &options->target;

	if (target->core && (target->pids || target->all || target->descendants || target->kernel))
		return wp_err_new(WP_ERR_USAGE, "--core FILE is dumped alone: without -p, --all, "
						"--children and -k");
	if (target->pids || target->all || target->core)
		return NULL;
	return wp_err_new(WP_ERR_USAGE, "nothing to dump: name processes with -p PID, --all for "
					"every one that runs Python, a core with --core FILE, or a "
					"recording with -i FILE");
}

/*
 * One of many: that it ends, or is not ours to read, keeps nobody from the others. Of --all nobody
 * knows whether it is a Python at all, unless it is called so.
 */
static void dump_one_of_many(struct wp_dumping *dumping, pid_t pid)
{
	wp_autoerr struct wp_err *err =
		pid == getpid() ? NULL : wp_dumping_process(dumping, (uint32_t)pid);
	struct wp_world *world = dumping->setup.world;
	wp_autofree char *name = NULL;
	bool notable;

	if (!err || !world->ops->process(world, pid, NULL, &name) || wp_procfs_is_kernel(pid))
		return;
	notable = !dumping->options->target.all || (name && wp_python_guess_by_name(name));
	wp_log(dumping->io->log, notable ? WP_LOG_WARNING : WP_LOG_VERBOSE, "%s", err->text);
	wp_dump_doc_unread(&dumping->dump, (uint32_t)pid, name, err->text);
}

static void dump_children(struct wp_dumping *dumping, pid_t pid)
{
	struct wp_procfs_ids children = {0};

	wp_procfs_descendants(pid, &children);
	wp_vec_each (pid_t, child, &children.ids)
		dump_one_of_many(dumping, *child);
	wp_vec_deinit(&children.ids);
}

/* Each that cannot be dumped is told, and is an error in the end; the last one is *ret. */
static void dump_named(struct wp_dumping *dumping, struct wp_err **ret)
{
	wp_vec_each (pid_t, pid, &dumping->targeting.target.pids) {
		struct wp_err *err = wp_dumping_process(dumping, (uint32_t)*pid);

		if (err && *ret) {
			wp_log(dumping->io->log, WP_LOG_ERROR, "%s", (*ret)->text);
			wp_err_free(*ret);
		}
		if (err)
			*ret = err;
		else if (dumping->options->target.descendants)
			dump_children(dumping, *pid);
	}
}

static struct wp_err *nothing_dumped(const struct wp_dumping *dumping)
{
	if (dumping->options->report.tids)
		return wp_err_new(WP_ERR_NOT_FOUND, "-t %s: no such thread in what was looked at",
				  dumping->options->report.tids);
	if (dumping->dump.n_unread)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "nothing dumped: of the processes that may be read none runs a "
				  "CPython, and %zu may not be read: root or CAP_SYS_PTRACE may",
				  dumping->dump.n_unread);
	return wp_err_new(WP_ERR_NOT_FOUND, "nothing dumped: no process runs a CPython");
}

static void dump_everybody(struct wp_dumping *dumping)
{
	const volatile sig_atomic_t *interrupted = dumping->io->interrupted;

	wp_vec_each (pid_t, pid, &dumping->targeting.target.pids) {
		if (interrupted && *interrupted)
			return;
		dump_one_of_many(dumping, *pid);
	}
}

struct wp_err *wp_session_dump(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	struct wp_err *unread = NULL, *err;

	(void)ret_exit;
	if (options->report.input) {
		wp_autolast_stacks struct wp_last_stacks last = {.filter.event = WP_ALL_EVENTS};

		TRY(check_recorded(options, &last));
		return dump_recording(options, io, &last);
	}
	TRY(check_dump(options));
	wp_autodumping struct wp_dumping dumping;

	TRY(wp_dumping_init(options, io, &dumping));
	TRY(wp_emit_prepare(options));
	if (options->target.core)
		TRY(wp_dumping_core(&dumping));
	else if (options->target.all)
		dump_everybody(&dumping);
	else
		dump_named(&dumping, &unread);
	if (!dumping.dump.n_processes)
		return unread ? unread : nothing_dumped(&dumping);
	wp_dump_doc_end(&dumping.dump);
	err = wp_emit(options, io, dumping.dump.doc);
	if (err && unread) {
		wp_log(io->log, WP_LOG_ERROR, "%s", unread->text);
		wp_err_free(unread);
	}
	return err ? err : unread;
}
