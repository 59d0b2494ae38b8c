/* SPDX-License-Identifier: BSD-3-Clause */
/* intervals: see intervals.h. */
#include "session/stat/intervals.h"

#include "aggregate/timeline_doc.h"
#include "base/clock.h"
#include "session/emit.h"
#include "session/stat/stat_lines.h"

/* How long the next interval may be. */
static uint64_t next_limit(const struct wp_session_options *options, uint64_t passed_ns)
{
	uint64_t limit = options->counting.interval_print_ms * WP_NS_PER_MS;

	if (options->timeout_ns && options->timeout_ns - passed_ns < limit)
		limit = options->timeout_ns - passed_ns;
	return limit;
}

/* Counts one interval and shows it; *passed_ns becomes its end. */
static struct wp_err *count_one_interval(struct wp_counting *c, struct wp_stat_lines *lines,
					 uint64_t *passed_ns)
{
	struct wp_counts counts = {0};
	struct wp_stat_rows rows = {0};
	struct wp_err *err;

	err = wp_counting_lap(c, next_limit(c->options, *passed_ns), &counts);
	if (!err) {
		*passed_ns += counts.elapsed_ns;
		wp_stat_split_rows(&rows, &c->events, &counts, &c->split);
		wp_stat_lines_put(lines, &rows,
				  (struct wp_stat_style){.timed = true, .time_ns = *passed_ns});
	}
	wp_stat_rows_deinit(&rows);
	wp_counts_deinit(&counts);
	return err;
}

/* One interval after the other, until one of the options or the target says that it is over. */
static struct wp_err *add_intervals(struct wp_counting *c, struct wp_timeline *timeline)
{
	const struct wp_session_options *options = c->options;
	uint64_t passed_ns = 0;

	for (uint64_t n = 1; !wp_counting_over(c); n++) {
		struct wp_counts counts = {0};
		struct wp_err *err = wp_counting_lap(c, next_limit(options, passed_ns), &counts);

		if (err) {
			wp_counts_deinit(&counts);
			return err;
		}
		passed_ns += counts.elapsed_ns;
		wp_timeline_add(timeline, &c->events, &counts);
		if (n == options->counting.interval_count ||
		    (options->timeout_ns && passed_ns >= options->timeout_ns))
			break;
	}
	return NULL;
}

struct wp_err *wp_intervals_document(struct wp_counting *c)
{
	struct wp_timeline timeline = {0};
	struct wp_timeline_plan plan = {
		.count_ns = c->options->counting.interval_print_ms * WP_NS_PER_MS,
		.periods = 0, /* as many as there come to be */
	};
	struct wp_err *err = wp_counting_begin(c), *emit_err = NULL;
	struct wp_doc *doc;

	if (!err)
		err = add_intervals(c, &timeline);
	if (timeline.periods.n) { /* what was counted is shown even when something failed */
		doc = wp_timeline_json(&timeline, &plan, &c->info);
		emit_err = wp_emit(c->options, c->io, doc);
		wp_doc_free(doc);
	}
	wp_timeline_deinit(&timeline);
	if (!err)
		return emit_err;
	wp_err_free(emit_err);
	return err;
}

struct wp_err *wp_intervals_run(struct wp_counting *c)
{
	const struct wp_session_options *options = c->options;
	wp_autolines struct wp_stat_lines lines = {0};
	uint64_t passed_ns = 0;

	TRY(wp_stat_lines_open(options, c->io, &lines));
	TRY(wp_counting_begin(c));
	wp_autofree char *heading =
		wp_asprintf("#           time%s             counts unit events\n",
			    wp_stat_place_heading(c->split.by));
	wp_stat_lines_say(&lines, heading);
	for (uint64_t n = 1; !wp_counting_over(c); n++) {
		TRY(count_one_interval(c, &lines, &passed_ns));
		if (n == options->counting.interval_count ||
		    (options->timeout_ns && passed_ns >= options->timeout_ns))
			break;
	}
	return wp_stat_lines_close(&lines);
}
