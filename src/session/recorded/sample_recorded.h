/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_recorded: a sample of a recording becomes one for sinks. Frames come whole, Python ones by
 * number, from our own recordings; those of perf are unwound.
 */
#ifndef WP_SAMPLE_RECORDED_H
#define WP_SAMPLE_RECORDED_H

#include "base/vec.h"
#include "session/follow/python_feed.h"
#include "session/live/sampling_stacks.h"

/* Who is asked; all of them outlive it. */
struct wp_sample_recorded_parts {
	struct wp_source *source; /* the recording */
	struct wp_resolver *resolver;
	struct wp_python_feed *python; /* is told that there is some, and what has no name */
	bool interpreter_frames;       /* all of the interpreter's are shown */
};

/* Of the sample at hand; symbol_of and transport of all. */
struct wp_sample_recorded {
	struct wp_sample_recorded_parts of;
	const char *transport;	    /* how Python frames were read; NULL: there were none */
	WP_VEC(uint32_t) symbol_of; /* by number of the Python function; id + 1 */
	WP_VEC(struct wp_spot_frame) python;
	WP_VEC(struct wp_frame) frames;
};

/* *ret borrows from `recorded` until the next sample. stack: NULL when nobody wants it. */
void wp_sample_recorded_make(struct wp_sample_recorded *recorded, const struct wp_record *record,
			     struct wp_sampling_stack *stack, struct wp_sample *ret);
void wp_sample_recorded_deinit(struct wp_sample_recorded *recorded);

#endif
