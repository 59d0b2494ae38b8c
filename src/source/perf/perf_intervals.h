/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_intervals: events of which the kernel itself counts every so many hits, when it is not asked
 * to say how many those were (struct wp_perf_mode).
 *
 * Source stage; a part of perf_set.
 */
#ifndef WP_PERF_INTERVALS_H
#define WP_PERF_INTERVALS_H

#include "core/source.h"
#include "source/perf/perf_attr.h"

/* An event with a rate needs its periods said, and has them said of all. */
bool wp_perf_intervals_unsaid(const struct wp_source_options *options);
/* Says which events are sampled at each hit because of another one. */
void wp_perf_intervals_warn(const struct wp_source_options *options,
			    const struct wp_perf_mode *mode);

#endif
