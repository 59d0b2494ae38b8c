/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_sheet: one table of counts in the making, as every block of `stat` has it: a row for an
 * event, with columns that depend on what is shown. Private to the documents of `stat`.
 */
#ifndef WP_STAT_SHEET_H
#define WP_STAT_SHEET_H

#include "aggregate/counts.h"
#include "core/doc.h"

struct wp_stat_sheet {
	struct wp_doc *doc;
	struct wp_table *table;
	const struct wp_event_set *events;
	const struct wp_counts *counts;
	enum wp_event_class class;
	bool pmu_id;	  /* a first column that says which unit counted */
	bool measured;	  /* last columns `value` and `unit`, for events that have a scale */
	bool clocks;	  /* the same in text alone, for clocks among the events */
	bool multiplexed; /* columns `multiplexed` (unless a sum) and `scaled value` */
	bool sum;	  /* over all CPUs */
};

void wp_stat_sheet_columns(struct wp_stat_sheet *sheet);
/* The event's row. pmu_id: text of the first column, if there is one. */
void wp_stat_sheet_row(struct wp_stat_sheet *sheet, const struct wp_event *event,
		       const char *pmu_id, const struct wp_count *count, uint64_t scaled);
/* "multiplexed" or "no multiplexing". */
const char *wp_stat_multiplexing_text(bool multiplexed);
/* What stands under the first line of each block. */
#define WP_STAT_NOTE                                                                      \
	"note: 'e' - normal event, 'gN' - grouped event with group number N, metric name" \
	" will be appended if 'e' or 'g' comes from it\n\n"

/* Sums an event that units count: its own counts and those of the copies behind it. */
void wp_stat_sum_units(const struct wp_event_set *events, const struct wp_counts *counts,
		       size_t first, struct wp_count *ret, uint64_t *ret_scaled);

#endif
