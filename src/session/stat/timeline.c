/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline: see timeline.h. */
#include "session/stat/timeline.h"

#include "aggregate/timeline_doc.h"
#include "base/clock.h"
#include "session/emit.h"
#include "session/stat/timeline_file.h"

#define DEFAULT_COUNT_NS    WP_NS_PER_S
#define DEFAULT_INTERVAL_NS (60 * WP_NS_PER_S)

struct run {
	struct wp_counting *counting;
	struct wp_timeline_plan plan;
	struct wp_timeline timeline;
	struct wp_timeline_files files;
};

static struct wp_err *count_period(struct run *run)
{
	struct wp_counts counts = {0};
	struct wp_err *err;

	err = wp_counting_period(run->counting, run->plan.count_ns, &counts);
	if (err) {
		wp_counts_deinit(&counts);
		return err;
	}
	wp_timeline_add(&run->timeline, &run->counting->events, &counts);
	return wp_timeline_files_add(&run->files, &run->timeline);
}

static struct wp_err *count_all_periods(struct run *run)
{
	struct wp_counting *counting = run->counting;
	uint64_t wanted = run->plan.periods;

	TRY(wp_timeline_files_open(&run->files, counting, run->plan.interval_ns));
	for (uint64_t n = 1; !wanted || n <= wanted; n++) {
		bool last = wanted && n == wanted;

		TRY(count_period(run));
		if (wp_counting_interrupted(counting) || (counting->ended && !last))
			break;
		wp_counting_pause(counting, last ? 0 : run->plan.interval_ns);
		if (wp_counting_interrupted(counting) || counting->ended)
			break;
	}
	return wp_timeline_files_close(&run->files);
}

static struct wp_err *emit_timeline(const struct run *run)
{
	struct wp_doc *doc = wp_timeline_json(&run->timeline, &run->plan, &run->counting->info);
	struct wp_err *err = wp_emit(run->counting->options, run->counting->io, doc);

	wp_doc_free(doc);
	return err;
}

struct wp_err *wp_timeline_run(struct wp_counting *counting)
{
	const struct wp_session_options *options = counting->options;
	struct run run = {
		.counting = counting,
		.plan =
			{
				.count_ns = options->timeout_ns ? options->timeout_ns
								: DEFAULT_COUNT_NS,
				.interval_ns = options->counting.interval_given
						       ? options->counting.interval_ns
						       : DEFAULT_INTERVAL_NS,
				.periods = options->counting.timeline_count,
			},
	};
	struct wp_err *err = count_all_periods(&run), *emit_err = NULL;

	if (run.timeline.periods.n) /* what was counted is shown even when something failed */
		emit_err = emit_timeline(&run);
	wp_timeline_files_deinit(&run.files);
	wp_timeline_deinit(&run.timeline);
	if (!err)
		return emit_err;
	wp_err_free(emit_err);
	return err;
}
