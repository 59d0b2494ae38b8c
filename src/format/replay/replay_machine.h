/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_machine: the lines of a replay script that say what the machine is: `machine`, `limits`,
 * `pmu` and `pmuevent`.
 *
 * Format stage, pure. A machine that says nothing is a small Arm server with one hardware PMU.
 */
#ifndef WP_REPLAY_MACHINE_H
#define WP_REPLAY_MACHINE_H

#include "base/err.h"
#include "core/machine.h"

/* Sets every default but the PMUs. */
void wp_replay_machine_init(struct wp_machine *machine);
/* Stores the words of such a line, which they cut in place. */
struct wp_err *wp_replay_machine_line(struct wp_machine *machine, char *words) WP_MUST_CHECK;
struct wp_err *wp_replay_limits_line(struct wp_machine *machine, char *words) WP_MUST_CHECK;
struct wp_err *wp_replay_pmu_line(struct wp_machine *machine, char *words) WP_MUST_CHECK;
struct wp_err *wp_replay_place_line(struct wp_machine *machine, char *words) WP_MUST_CHECK;
/* An event without a PMU (NULL) is the CPU's, which is known at the end of the script. */
struct wp_err *wp_replay_pmuevent_line(struct wp_machine *machine, char *words) WP_MUST_CHECK;
/* Adds the usual PMUs when the script named none, and what follows from the other words. */
void wp_replay_machine_finish(struct wp_machine *machine);

#endif
