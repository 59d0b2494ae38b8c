/*
 * launch: a command started for us, held right before its exec until the events are open.
 */
#ifndef WP_LAUNCH_H
#define WP_LAUNCH_H

#include "base/err.h"
#include "core/cpuset.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct wp_launch {
	pid_t pid;
	const char *name; /* argv[0], borrowed */
	int gate;	  /* closing it without writing makes the child exit */
	int report;	  /* delivers the child's errno when its exec fails */
	bool reaped;
	int wait_status;	     /* as from waitpid(), once reaped */
	uint64_t user_ns, system_ns; /* CPU time of it and of all it waited for, once reaped */
	uint64_t held_ns;	     /* of that, before it was let go */
};

/*
 * Forks; the child is pinned to `cpus` unless that is NULL or empty, and waits. PATH is searched.
 * argv ends with NULL.
 */
struct wp_err *wp_launch_start(char *const argv[], const struct wp_cpuset *cpus,
			       struct wp_launch *ret) WP_MUST_CHECK;
/*
 * Lets the child exec; fails (with what the shell would say) when that fails. The exit status is
 * then 127 (not found) or 126 (found, but cannot be run).
 */
struct wp_err *wp_launch_go(struct wp_launch *launch) WP_MUST_CHECK;
/* True once the child has ended; never blocks. */
bool wp_launch_ended(struct wp_launch *launch);
/* Ends the child if it still runs (SIGTERM, then SIGKILL after a second) and reaps it. Safe to call
 * twice, and on an all-zero struct. */
void wp_launch_finish(struct wp_launch *launch);
/* The child's exit status as a shell gives it (128 + signal), once ended. */
int wp_launch_exit_status(const struct wp_launch *launch);

#endif
