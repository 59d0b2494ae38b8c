/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_rows: counts as `perf stat` shows them: a value with its unit, and what it comes to a
 * second.
 *
 * Aggregate stage. Counts are scaled and summed over CPUs and like units, one row an event. Rows
 * become lines of text, CSV in perf's order of fields, or a table for JSON.
 */
#ifndef WP_STAT_ROWS_H
#define WP_STAT_ROWS_H

#include "aggregate/counts.h"
#include "aggregate/stat_doc.h"
#include "aggregate/stat_place.h"
#include "core/doc.h"

struct wp_stat_row {
	const struct wp_event *event; /* borrowed from the set */
	struct wp_stat_place place;   /* all-zero: summed over all */
	enum wp_cell_kind kind;	      /* WP_CELL_COUNT, or which cell says why there is no value */
	double count;		      /* as the kernel counts; of several runs the mean */
	double deviation_pct;	      /* of the mean of several runs, as perf has it */
	double value;		      /* in `unit` */
	const char *unit;	      /* "msec", "Joules"; "": a number */
	uint64_t enabled_ns, running_ns;
	double rate;
	const char *rate_unit; /* "K/sec", "CPUs utilized"; NULL: it has no rate */
};

struct wp_stat_rows {
	WP_VEC(struct wp_stat_row) v;
};

/* When a row was counted, and how it is shown. */
struct wp_stat_style {
	bool timed; /* begins with the end of its interval */
	uint64_t time_ns;
	bool deviates;	       /* has deviation_pct */
	const char *separator; /* of CSV */
};

/* Appends the rows of one period; their rates are those of counts->elapsed_ns. */
void wp_stat_rows_of_counts(struct wp_stat_rows *rows, const struct wp_event_set *events,
			    const struct wp_counts *counts);
/* Sets `value` and rates from `count`, for rows that were made otherwise. */
void wp_stat_rows_rate(struct wp_stat_rows *rows, double elapsed_ns);
void wp_stat_rows_deinit(struct wp_stat_rows *rows);

/* "Performance counter stats for 'sleep 1' (3 runs):"; runs 0: not repeated. */
void wp_stat_rows_heading(struct wp_doc *doc, const struct wp_stat_info *info, size_t runs);
void wp_stat_rows_text(struct wp_doc *doc, const struct wp_stat_rows *rows,
		       const struct wp_stat_style *style);
void wp_stat_rows_csv(struct wp_doc *doc, const struct wp_stat_rows *rows,
		      const struct wp_stat_style *style);
/* The member `events`: a table. */
void wp_stat_rows_json(struct wp_doc *doc, const struct wp_stat_rows *rows);

#endif
