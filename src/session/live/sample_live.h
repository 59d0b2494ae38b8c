/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_live: a sample as it comes becomes one for sinks, while its process lives: names for its
 * addresses, Python frames out of their slots, and both in one stack.
 */
#ifndef WP_SAMPLE_LIVE_H
#define WP_SAMPLE_LIVE_H

#include "core/sample.h"
#include "runtime/python_weave.h"
#include "session/follow/python_feed.h"

struct wp_sampling;

/* Of the sample at hand. */
struct wp_sample_live {
	/* One for each slot; those of marks and threads say nothing. */
	WP_VEC(struct wp_python_frame) slots;
	WP_VEC(struct wp_spot_frame) python;
	struct wp_woven woven;
	WP_VEC(struct wp_frame) native; /* one for each of the unwound stack's */
	WP_VEC(struct wp_frame) frames;
};

/* *ret borrows from s until the next sample. */
void wp_sample_live_make(struct wp_sampling *s, const struct wp_record *record,
			 struct wp_sample *ret);
void wp_sample_live_deinit(struct wp_sample_live *live);

#endif
