/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_source: counts and samples from perf_event_open(2).
 *
 * Counting: one descriptor per event and CPU (or task), groups as kernel groups. Sampling: one ring
 * per CPU, read by the calling thread and merged into time order.
 */
#ifndef WP_PERF_SOURCE_H
#define WP_PERF_SOURCE_H

#include "core/source.h"

/*
 * Opens every event, disabled. An event that cannot be counted is refused here with one line that
 * names it, says why and what would work. The caller closes through ops->close.
 */
struct wp_err *wp_perf_source_open(const struct wp_source_options *options,
				   struct wp_source **ret) WP_MUST_CHECK;

#endif
