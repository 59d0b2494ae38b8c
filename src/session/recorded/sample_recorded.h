/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_recorded: a sample of a recording becomes one for sinks. Frames come whole, Python ones by
 * number, from our own recordings; those of perf are unwound.
 */
#ifndef WP_SAMPLE_RECORDED_H
#define WP_SAMPLE_RECORDED_H

#include "base/vec.h"
#include "core/sample.h"

struct wp_sampling;

/* Of the sample at hand; symbol_of of all. */
struct wp_sample_recorded {
	WP_VEC(uint32_t) symbol_of; /* by number of the Python function; id + 1 */
	WP_VEC(struct wp_spot_frame) python;
	WP_VEC(struct wp_frame) frames;
};

/* *ret borrows from s until the next sample. */
void wp_sample_recorded_make(struct wp_sampling *s, const struct wp_record *record,
			     struct wp_sample *ret);
void wp_sample_recorded_deinit(struct wp_sample_recorded *recorded);

#endif
