/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_snapshot: the last seconds of a run, written when somebody asks (--snapshot): how much
 * is held, and when what was asked for is complete.
 */
#ifndef WP_SAMPLING_SNAPSHOT_H
#define WP_SAMPLING_SNAPSHOT_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* All-zero: all is written as it comes. */
struct wp_sampling_snapshot {
	bool on;
	uint64_t span_ns;     /* 0: only memory bounds it */
	uint64_t limit_bytes; /* of memory */
	uint64_t asked_ns;    /* when, by our clock, what is not answered yet; 0: nothing is */
};

/* text: a time (30s; 30: seconds), a size (64M), or both; NULL: none. */
struct wp_err *wp_sampling_snapshot_parse(const char *text,
					  struct wp_sampling_snapshot *ret) WP_MUST_CHECK;
/*
 * Once after each round: whether one is to be written. What happened until it was asked for has to
 * be here first: records come in order of time, the last one had the time newest_ns. Where nothing
 * happens, none comes.
 */
bool wp_sampling_snapshot_is_due(struct wp_sampling_snapshot *snapshot, bool asked,
				 uint64_t newest_ns, uint64_t now_ns);

#endif
