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
#include "session/follow/walk_feed.h"
#include "session/live/sampling_stacks.h"

/* Who is asked; all of them outlive it. */
struct wp_sample_live_parts {
	struct wp_resolver *resolver;
	struct wp_python_feed *python;
	struct wp_walk_feed *walk;
	bool interpreter_frames; /* all of the interpreter's are shown */
};

/* Of the sample at hand. */
struct wp_sample_live {
	struct wp_sample_live_parts of;
	/* One for each slot; those of marks and threads say nothing. */
	WP_VEC(struct wp_python_frame) slots;
	WP_VEC(struct wp_spot_frame) python;
	struct wp_woven woven;
	WP_VEC(struct wp_frame) native; /* one for each of the unwound stack's */
	WP_VEC(struct wp_frame) frames;
};

/* *ret borrows from `live` until the next sample. stack: NULL when nobody wants it. */
void wp_sample_live_make(struct wp_sample_live *live, const struct wp_record *record,
			 struct wp_sampling_stack *stack, struct wp_sample *ret);
void wp_sample_live_deinit(struct wp_sample_live *live);

#endif
