/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay: a world out of a text script, so that every layout can be tested without a PMU, a
 * privilege or a clock.
 *
 * The script describes the machine, the processes and the symbols, and has the records that a
 * source over it delivers (docs/replay.md has the grammar). Time is the script's: `wait` lines make
 * it pass, ops->elapsed_ns of the source says how much has, and ops->next never sleeps. So a
 * session must ask elapsed_ns, not the clock, whether time is up.
 *
 * Events in the script are matched by name with those of the set. Events of the set that the script
 * does not mention get count 0, never scheduled (running_ns 0). Each start...stop takes one block
 * of the script. A source is limited to what its target (NULL: to nothing) would let a kernel
 * deliver: samples of its processes (and what they fork) and CPUs, counts of its CPUs, kernel
 * samples only with `kernel`.
 */
#ifndef WP_REPLAY_H
#define WP_REPLAY_H

#include "core/world.h"

/* Reads and checks a script; errors name file and line. The caller closes, after its sources. */
struct wp_err *wp_replay_open(const char *path, struct wp_world **ret) WP_MUST_CHECK;

#endif
