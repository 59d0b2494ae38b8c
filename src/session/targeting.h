/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * targeting: what the user wants watched (-c, -p, -a, -G, -u, -- CMD, --image_name, --pe_file) as a
 * target.
 *
 * Session stage. It only decides and checks, in WindowsPerf's words where it has some; nothing is
 * started here. Processes are those of the world.
 */
#ifndef WP_TARGETING_H
#define WP_TARGETING_H

#include "core/target.h"
#include "session/session.h"
#include "session/setup.h"

enum wp_targeting_verb {
	WP_TARGETING_STAT,
	WP_TARGETING_SAMPLE,
	WP_TARGETING_RECORD,
	WP_TARGETING_DUMP,
};

struct wp_targeting {
	/*
	 * Ready for a source, but for a `command`, which the world is to launch first.
	 * A command is pinned to target.cpus (empty: nowhere).
	 */
	struct wp_target target;
	char *const *command; /* to be started: ends with NULL; NULL: nothing */
	char *label; /* "process 12 (python3)", "processes 1,2", "'python3 x.py'", "cgroup x"; NULL:
			CPUs */
	char **own_command; /* `command` when it was made of --pe_file */
};

/*
 * stat: a command (or --pe_file) with its tree, or with -c that one CPU, on which it is pinned; -p
 * processes; -c CPUs; else all CPUs.
 * sample: -p, else the running processes of --image_name or --pe_file; -c restricts them to some
 * CPUs; without a process, -c or -a everything there.
 * record: a command (or --pe_file), pinned with -c; with -a everything while it runs.
 * dump: -p, or with -a all processes that run now, by id.
 * With -G (stat: where wp_targeting_pairs_cgroups() does not hold) of all that only what runs in
 * the cgroups; -u is -p with the processes of a user. The caller deinits, also after a failure;
 * *ret need not be initialized.
 */
struct wp_err *wp_targeting_init(const struct wp_session_options *options,
				 const struct wp_setup *setup, enum wp_targeting_verb verb,
				 struct wp_targeting *ret) WP_MUST_CHECK;
/* Of stat: each name of -G is one event's, or (a single one) the row of each event says it. */
bool wp_targeting_pairs_cgroups(const struct wp_session_options *options);
void wp_targeting_deinit(struct wp_targeting *targeting);
#define wp_autotargeting WP_CLEANUP(wp_targeting_deinit)

#endif
