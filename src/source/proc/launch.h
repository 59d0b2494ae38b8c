/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch: a command started for us, held right before its exec until the events are open.
 */
#ifndef WP_LAUNCH_H
#define WP_LAUNCH_H

#include "base/err.h"
#include "core/cpuset.h"
#include "source/proc/entry.h"
#include "source/proc/sudo_user.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct wp_launch {
	pid_t pid;
	const char *name; /* argv[0], borrowed */
	int output; /* set before the start: gets what would go to a terminal, which it cannot read
		     * either; 0: the terminal does. Not on Windows */
	int gate;   /* closing it without writing makes the child exit */
	int report; /* delivers the child's errno when its exec fails */
	void *process, *thread; /* on Windows, in their place: its handles */
	bool reaped;
	int wait_status;	     /* as from waitpid(), once reaped */
	uint64_t user_ns, system_ns; /* CPU time of it and of all it waited for, once reaped */
	uint64_t held_ns;	     /* of that, before it was let go */
	struct wp_entry entry;
	uint64_t entry_until_ns; /* it is followed for so long (CLOCK_MONOTONIC) */
};

/*
 * Forks; the child is pinned to `cpus` unless that is NULL or empty, and waits. PATH is searched.
 * argv ends with NULL. user: who the command runs as; NULL: as we do.
 */
struct wp_err *wp_launch_start(char *const argv[], const struct wp_cpuset *cpus,
			       const struct wp_sudo_user *user,
			       struct wp_launch *ret) WP_MUST_CHECK;
/*
 * Lets the child exec; fails (with what the shell would say) when that fails. The exit status is
 * then 127 (not found) or 126 (found, but cannot be run).
 */
struct wp_err *wp_launch_go(struct wp_launch *launch) WP_MUST_CHECK;
/*
 * Before wp_launch_go(): stops the child where its program begins (source/proc/entry.h) until it is
 * released there. A second after its exec nobody waits any more, and it runs on by itself.
 */
void wp_launch_follow(struct wp_launch *launch);
/* True once the child has ended; never blocks. */
bool wp_launch_ended(struct wp_launch *launch);
/* Where a followed child is, as of now; never blocks. */
enum wp_entry_state wp_launch_entry(struct wp_launch *launch);
/* `more`: it may become another program, which stops, too. */
void wp_launch_release(struct wp_launch *launch, bool more);
/* Ends the child if it still runs (SIGTERM, then SIGKILL after a second) and reaps it. Safe to call
 * twice, and on an all-zero struct. */
void wp_launch_finish(struct wp_launch *launch);
/* The child's exit status as a shell gives it (128 + signal), once ended. */
int wp_launch_exit_status(const struct wp_launch *launch);

#endif
