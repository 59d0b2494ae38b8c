/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_runs: the counts of several runs of one command: the mean of each, and how far it is sure.
 *
 * Aggregate stage. The deviation is perf's: the standard deviation of the mean (of a sample,
 * divided by the root of the number of runs), in percent of the mean.
 */
#ifndef WP_STAT_RUNS_H
#define WP_STAT_RUNS_H

#include "aggregate/stat_rows.h"

struct wp_stat_run {
	struct wp_stat_rows rows;
	uint64_t elapsed_ns;
	int exit_status;
};

struct wp_stat_runs {
	WP_VEC(struct wp_stat_run) v;
};

/* Takes over the rows. Every run has those of the same events. */
void wp_stat_runs_add(struct wp_stat_runs *runs, const struct wp_stat_run *run);
void wp_stat_runs_deinit(struct wp_stat_runs *runs);

/* The mean rows, appended; runs in which an event was not counted say nothing of it. */
void wp_stat_runs_mean(const struct wp_stat_runs *runs, struct wp_stat_rows *ret);
/* Mean rows, and the elapsed time; `table`: that of each run, too. */
void wp_stat_runs_text(struct wp_doc *doc, const struct wp_stat_runs *runs,
		       const struct wp_stat_info *info, bool table);
/* The members `repeat`, `Time_elapsed`, `exit_status` and `events`. */
void wp_stat_runs_json(struct wp_doc *doc, const struct wp_stat_runs *runs);

#endif
