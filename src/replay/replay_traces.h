/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_traces: what a script's samples of Arm SPE lie in when they are recorded: pieces of the
 * buffers of CPUs, and who ran there.
 *
 * Source stage of tests. In: samples. Out: the records that perf_spe would have made beside them.
 */
#ifndef WP_REPLAY_TRACES_H
#define WP_REPLAY_TRACES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "core/record.h"

/* All-zero is empty. */
struct wp_replay_traces {
	struct wp_map ends;    /* CPU -> bytes in its buffer so far */
	struct wp_arena arena; /* pieces */
};

/* RUNS of right before the sample, and AUX, whose bytes live as long as the traces. */
void wp_replay_traces_put(struct wp_replay_traces *traces, const struct wp_record *sample,
			  struct wp_record *ret_runs, struct wp_record *ret_piece);
void wp_replay_traces_deinit(struct wp_replay_traces *traces);

#endif
