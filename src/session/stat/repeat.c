/* SPDX-License-Identifier: BSD-3-Clause */
/* repeat: see repeat.h. */
#include "session/stat/repeat.h"

#include "aggregate/stat_runs.h"
#include "session/emit.h"
#include "session/stat/stat_lines.h"

#include <signal.h>

/* A run that Ctrl-C broke off is no run, unless there is no other. */
static bool broke_off(const struct wp_counting *c, const struct wp_stat_runs *runs, int status)
{
	return runs->v.n && wp_counting_interrupted(c) && status == 128 + SIGINT;
}

static struct wp_err *count_one_run(struct wp_counting *c, struct wp_stat_runs *runs, int *ret_exit)
{
	struct wp_counts counts = {0};
	struct wp_stat_run run = {0};
	struct wp_err *err;

	err = wp_counting_period(c, c->options->timeout_ns, &counts);
	if (!err) {
		*ret_exit = run.exit_status = wp_counting_finish(c);
		run.elapsed_ns = counts.elapsed_ns;
		wp_stat_split_rows(&run.rows, &c->events, &counts, &c->split);
	}
	wp_counts_deinit(&counts);
	if (err || broke_off(c, runs, run.exit_status))
		wp_stat_rows_deinit(&run.rows);
	else
		wp_stat_runs_add(runs, &run);
	return err;
}

static struct wp_err *count_all_runs(struct wp_counting *c, struct wp_stat_runs *runs,
				     int *ret_exit)
{
	uint64_t wanted = c->options->counting.repeat;

	for (uint64_t n = 1;; n++) {
		TRY(count_one_run(c, runs, ret_exit));
		if (n == wanted || wp_counting_interrupted(c) || !wp_counting_has_more(c))
			return NULL;
		TRY(wp_counting_again(c));
	}
}

static struct wp_err *emit_runs(struct wp_counting *c, const struct wp_stat_runs *runs,
				struct wp_stat_lines *lines)
{
	struct wp_stat_rows rows = {0};
	struct wp_doc *doc;
	struct wp_err *err;

	if (c->options->counting.separator) {
		wp_stat_runs_mean(runs, &rows);
		wp_stat_lines_put(lines, &rows, (struct wp_stat_style){.deviates = true});
		wp_stat_rows_deinit(&rows);
		return wp_stat_lines_close(lines);
	}
	doc = wp_doc_new();
	wp_stat_runs_text(doc, runs, &c->info, c->options->counting.table);
	wp_stat_runs_json(doc, runs);
	err = wp_emit(c->options, c->io, doc);
	wp_doc_free(doc);
	return err;
}

struct wp_err *wp_repeat_run(struct wp_counting *c, int *ret_exit)
{
	wp_autolines struct wp_stat_lines lines = {0};
	struct wp_stat_runs runs = {0};
	struct wp_err *err = NULL, *emit_err = NULL;

	if (c->options->counting.separator)
		TRY(wp_stat_lines_open(c->options, c->io, &lines));
	err = count_all_runs(c, &runs, ret_exit);
	if (runs.v.n) /* what was counted is shown even when something failed */
		emit_err = emit_runs(c, &runs, &lines);
	wp_stat_runs_deinit(&runs);
	if (!err)
		return emit_err;
	wp_err_free(emit_err);
	return err;
}
