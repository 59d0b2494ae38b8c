/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metric_doc: metrics computed from the counts of one core and period, and their tables.
 *
 * Aggregate stage. Counts are scaled for the time that they were not taken; a metric's events are
 * one group, so that its ratios hold whatever else shared the counters.
 */
#ifndef WP_METRIC_DOC_H
#define WP_METRIC_DOC_H

#include "aggregate/stat_info.h"
#include "base/arena.h"
#include "core/doc.h"

/*
 * row: SIZE_MAX for none of a CPU. The value as it is shown: three decimals, `<not counted>`, `<not
 * implemented>` or `<division by zero>`; in arena.
 */
const char *wp_metric_text(const struct wp_metric_use *use, const struct wp_event_set *events,
			   const struct wp_counts *counts, size_t row, struct wp_arena *arena);
/* As wp_metric_text(), but NULL where it has no value. */
const char *wp_metric_number(const struct wp_metric_use *use, const struct wp_event_set *events,
			     const struct wp_counts *counts, size_t row, struct wp_arena *arena);

/*
 * Adds to a core's object what is in `ts_metric`, and `topdown` beside it when that was asked for.
 */
void wp_metric_doc_add(struct wp_doc *doc, struct wp_node *core, const struct wp_stat_info *info,
		       const struct wp_counts *counts);

#endif
