/*
 * replay_machine: the `machine` and `limits` lines of a replay script.
 *
 * Format stage, pure. A machine that says nothing is a small Arm server with one hardware PMU.
 */
#ifndef WP_REPLAY_MACHINE_H
#define WP_REPLAY_MACHINE_H

#include "base/err.h"
#include "core/machine.h"

/* Sets every default but the PMUs. */
void wp_replay_machine_init(struct wp_machine *machine);
/* Stores one word of a `machine` or a `limits` line. */
struct wp_err *wp_replay_machine_word(struct wp_machine *machine, char *word) WP_MUST_CHECK;
struct wp_err *wp_replay_limits_word(struct wp_machine *machine, char *word) WP_MUST_CHECK;
/* Adds the usual PMUs when the script named none, and what follows from the other words. */
void wp_replay_machine_finish(struct wp_machine *machine);

#endif
