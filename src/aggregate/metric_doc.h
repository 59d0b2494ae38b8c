/*
 * metric_doc: metrics computed from the counts of one core and period, and their tables.
 *
 * Aggregate stage. Counts are scaled for the time that they were not taken; a metric's events are
 * one group, so that its ratios hold whatever else shared the counters.
 */
#ifndef WP_METRIC_DOC_H
#define WP_METRIC_DOC_H

#include "aggregate/counts.h"
#include "base/arena.h"
#include "event/metric_plan.h"

/* row: SIZE_MAX for none of a CPU. The value as it is shown: three decimals, `<not counted>`, `<not
 * implemented>` or
 * `<division by zero>`; in arena. */
const char *wp_metric_text(const struct wp_metric_use *use, const struct wp_event_set *events,
			   const struct wp_counts *counts, size_t row, struct wp_arena *arena);

#endif
