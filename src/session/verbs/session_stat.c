/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session_stat: `wperf stat`: counts one period and shows it, or many of them (timeline.h,
 * intervals.h), or one of each of several runs (repeat.h).
 */
#include "base/clock.h"
#include "session/stat/counting.h"
#include "session/emit.h"
#include "session/stat/intervals.h"
#include "session/stat/repeat.h"
#include "session/stat/stat_lines.h"
#include "session/stat/timeline.h"
#include "view/view.h"

#include <string.h>

/* -v, before anything is counted. */
static void print_plan(const struct wp_counting *counting)
{
	if (!counting->options->output.verbose || !wp_emit_wants_text(counting->options))
		return;
	struct wp_doc *doc = wp_doc_new();

	wp_stat_doc_add_plan(doc, doc->root, &counting->events);
	wp_view_text.render(doc, counting->io->out);
	wp_doc_free(doc);
}

/* Counts of each cgroup, core or thread have no place in WindowsPerf's tables. */
static void add_json(struct wp_doc *doc, const struct wp_counts *counts,
		     const struct wp_stat_rows *rows)
{
	wp_stat_rows_json(doc, rows);
	wp_doc_real(doc, doc->root, "Time_elapsed", (double)counts->elapsed_ns / WP_NS_PER_S, 9);
}

/* Counts as perf shows them, in the place of WindowsPerf's tables, which are for JSON alone. */
static void show_rows(struct wp_doc *doc, const struct wp_counting *counting,
		      const struct wp_stat_rows *rows)
{
	const struct wp_stat_style style = {0};

	for (struct wp_node *node = doc->root->first; node; node = node->next)
		node->only = WP_DATA_ONLY;
	wp_stat_rows_heading(doc, &counting->info, 0);
	wp_stat_rows_text(doc, rows, &style);
}

static struct wp_err *show_counts(struct wp_counting *counting, const struct wp_counts *counts,
				  struct wp_stat_lines *lines)
{
	const struct wp_stat_times times = wp_counting_times(counting);
	bool each = counting->options->target.each_cgroup || counting->split.by ||
		    wp_targeting_pairs_cgroups(counting->options);
	bool as_perf = each || counting->unnamed;
	struct wp_stat_rows rows = {0};
	struct wp_doc *doc = wp_doc_new();
	struct wp_err *err;

	wp_stat_split_rows(&rows, &counting->events, counts, &counting->split);
	if (counting->options->counting.separator) {
		wp_stat_lines_put(lines, &rows, (struct wp_stat_style){0});
		err = wp_stat_lines_close(lines);
	} else {
		if (each)
			add_json(doc, counts, &rows);
		else
			wp_stat_doc_add(doc, doc->root, &counting->info, counts, true);
		if (as_perf)
			show_rows(doc, counting, &rows);
		wp_stat_doc_add_elapsed(doc, doc->root, counts->elapsed_ns, &times, as_perf);
		err = wp_emit(counting->options, counting->io, doc);
	}
	wp_doc_free(doc);
	wp_stat_rows_deinit(&rows);
	return err;
}

static struct wp_err *count_once(struct wp_counting *counting, int *ret_exit)
{
	wp_autolines struct wp_stat_lines lines = {0};
	struct wp_counts counts = {0};
	struct wp_err *err;

	if (counting->options->counting.separator)
		TRY(wp_stat_lines_open(counting->options, counting->io, &lines));
	err = wp_counting_period(counting, counting->options->timeout_ns, &counts);
	if (!err) {
		*ret_exit = wp_counting_finish(counting);
		err = show_counts(counting, &counts, &lines);
	}
	wp_counts_deinit(&counts);
	return err;
}

/* What excludes each other, or needs another one. */
static struct wp_err *check_options(const struct wp_session_options *o)
{
	bool repeats = o->counting.repeat != 1;
	bool pairs = o->target.cgroups && strchr(o->target.cgroups, ',');
	bool rows = repeats || o->counting.interval_print_ms || o->counting.separator ||
		    o->target.each_cgroup || pairs;
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{o->counting.split &&
			 (o->counting.timeline || o->events.metrics || o->events.topdown),
		 "-A and --per-... split counts as perf does: leave out -t, -m and --topdown"},
		{rows && o->counting.timeline, "-t has a layout of its own: give it, or -r, -I, "
					       "-x, --for-each-cgroup and -G NAME,NAME,"
					       " not both"},
		{rows && (o->events.metrics || o->events.topdown),
		 "-r, -I, -x, --for-each-cgroup and -G NAME,NAME show counts, no metrics: name"
		 " events with -e instead of -m or --topdown"},
		{pairs && !o->events.list,
		 "-G NAME,NAME: the first is the first event's, the second the second's: name"
		 " events with -e, too; --for-each-cgroup counts every event in each"},
		{o->target.each_cgroup && o->target.cgroups,
		 "-G and --for-each-cgroup exclude each other: give one of them"},
		{repeats && !o->target.command && !o->target.pe_file,
		 "-r repeats a command: put one behind --"},
		{repeats && o->counting.interval_print_ms,
		 "-r and -I exclude each other: give one of them"},
		{o->counting.table && !repeats, "--table shows the runs of -r: give that too"},
		{o->counting.interval_count && !o->counting.interval_print_ms,
		 "--interval-count is a number of intervals: give their length with -I"},
		{o->counting.separator && o->output.json,
		 "-x prints CSV and --json JSON: give one of them"},
		{o->counting.separator && !*o->counting.separator,
		 "-x needs a separator, such as a comma: -x,"},
		{o->output.closed && (repeats || pairs || o->target.each_cgroup ||
				      o->counting.split || o->counting.append),
		 "--json=strict is WindowsPerf's layout, which has no -r, -A, --per-...,"
		 " --for-each-cgroup, -G NAME,NAME and --append: use --json"},
		{o->counting.append && (!o->output.file ||
					(!o->counting.separator && !o->counting.interval_print_ms)),
		 "--append is for the file of -o with -x or -I: give those too"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return wp_err_new(WP_ERR_USAGE, "%s", rules[i].text);
	return NULL;
}

/* Options of a timeline without one. */
static void warn_no_timeline(const struct wp_session_options *options, const struct wp_log *log)
{
	static const char text[] =
		"unexpected arg '%s' ignored: it is of a timeline, see option -t";

	if (options->counting.timeline)
		return;
	if (options->counting.interval_given)
		wp_log(log, WP_LOG_WARNING, text, "-i");
	if (options->counting.timeline_count)
		wp_log(log, WP_LOG_WARNING, text, "-n");
	if (options->output.csv_file)
		wp_log(log, WP_LOG_WARNING, text, "--output-csv");
}

struct wp_err *wp_session_stat(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	wp_autocounting struct wp_counting counting = {0};

	TRY(check_options(options));
	TRY(wp_counting_init(&counting, options, io));
	warn_no_timeline(options, io->log);
	print_plan(&counting);
	wp_writer_flush(io->out);
	if (options->counting.repeat != 1)
		return wp_repeat_run(&counting, ret_exit);
	if (!options->counting.timeline && !options->counting.interval_print_ms)
		return count_once(&counting, ret_exit);
	if (options->counting.timeline)
		TRY(wp_timeline_run(&counting));
	else if (options->output.closed)
		TRY(wp_intervals_document(&counting));
	else
		TRY(wp_intervals_run(&counting));
	*ret_exit = wp_counting_finish(&counting);
	return NULL;
}
