/* SPDX-License-Identifier: BSD-3-Clause */
/* session_report: `wperf report`, hot functions of what was recorded. */
#include "recording/recording.h"
#include "session/emit.h"
#include "session/report/empty.h"
#include "session/report/report_blocks.h"
#include "session/report/row_opener.h"
#include "session/verbs/machine_docs.h"
#include "session/recorded/python_touches.h"
#include "session/recorded/sampling_recorded.h"
#include "session/recorded/sort_keys.h"
#include "session/recorded/traced_python.h"

/* traced is in front of them, where Python lines are asked for. */
static void sort_samples(struct wp_sampling *s, struct wp_traced_python *traced,
			 struct wp_python_touches *touches)
{
	struct wp_report_sort_parts parts = {
		.options = s->options,
		.events = wp_sampling_shown(s),
		.resolver = s->resolver,
		.source = s->source,
		.threads = &s->python.threads,
		.image = &s->image,
		.idle = &s->results.idle,
		.sp_bit = wp_recorded_sp_bit(s->source),
	};

	if (wp_report_sort_by_python(&s->recorded.sort)) {
		parts.ahead = wp_recording_read_ahead(s->source);
		parts.traced = traced;
	}
	if (s->recorded.sort.needs & WP_SORT_TOUCHES) {
		wp_python_touches_init(touches, wp_recording_touched(s->source));
		parts.touches = touches;
	}
	wp_traced_python_init(traced, wp_report_sort_sink(&s->recorded.sort, &parts), s->resolver,
			      parts.ahead);
	wp_sampling_attach(s, wp_traced_python_sink(traced));
}

/* On screens: another report of the same recording, made when a key asks for it. */
struct other_report {
	struct wp_session_options options;
	struct wp_sampling s;
	struct wp_row_opener opener;
	bool is_begun, is_read;
};

struct other_reports {
	const struct wp_session_options *options;
	struct wp_session_io *io;
	struct other_report all[WP_SCREEN_MORES];
};

static struct wp_err *read_other(struct other_reports *reports, struct other_report *other)
{
	other->is_begun = true;
	TRY(wp_sampling_init_recorded(&other->options, reports->io, &other->s));
	wp_sampling_attach_results(&other->s);
	wp_sampling_fold_idle(&other->s);
	TRY(wp_sampling_run_recorded(&other->s));
	other->is_read = true;
	return NULL;
}

static void close_other(struct other_report *other)
{
	if (other->is_begun)
		wp_sampling_deinit(&other->s);
	other->is_begun = other->is_read = false;
}

static struct wp_err *make_other(void *arg, enum wp_screen_more what, struct wp_doc **ret,
				 const struct wp_screen_opener **ret_opener)
{
	struct other_reports *reports = arg;
	struct other_report *other = &reports->all[what];

	if (!other->is_read) {
		close_other(other);
		other->options = *reports->options;
		other->options.report.sort = NULL;
		other->options.report.children = other->options.report.branches = false;
		other->options.sampling.call_graph |= what == WP_SCREEN_TREE;
		other->options.tables.threads |= what == WP_SCREEN_THREADS;
		TRY(read_other(reports, other));
	}
	*ret = wp_sampling_report_doc(&other->s);
	wp_row_opener_init(&other->opener, &other->s, &other->s.results);
	*ret_opener = &other->opener.opener;
	return NULL;
}

/* Rows of functions can be opened. */
static struct wp_err *show_sorted(struct wp_sampling *s)
{
	struct wp_doc *doc = wp_report_sort_doc(&s->recorded.sort, s->lost);
	struct wp_row_opener opener;
	struct wp_err *err;

	wp_empty_tell_symbol(s, doc);
	if (!s->options->output.screens)
		return wp_emit_and_free(s->options, s->io, doc);
	wp_flat_sort(&s->results.flat);
	wp_pcs_sort(&s->results.pcs);
	wp_spots_sort(&s->results.python.spots, WP_SPOTS_BY_SELF);
	wp_row_opener_init(&opener, s, &s->results);
	err = wp_emit_opening(s->options, s->io, doc, &opener.opener);
	wp_doc_free(doc);
	return err;
}

static struct wp_err *show_with_others(struct wp_sampling *s,
				       struct wp_err *(*show)(struct wp_sampling *s))
{
	/* What it would say was said of the first one. */
	static const struct wp_log silent = {.sink = NULL};
	wp_autofree struct other_reports *reports = wp_calloc(1, sizeof(*reports));
	struct wp_session_io io = *s->io;
	struct wp_err *err;

	io.log = &silent;
	io.terminal = NULL;
	*reports = (struct other_reports){.options = s->options, .io = &io};
	s->more = (struct wp_sampling_more){make_other, reports};
	err = show(s);
	for (size_t i = 0; i < WP_SCREEN_MORES; i++)
		close_other(&reports->all[i]);
	return err;
}

static struct wp_err *report_functions(const struct wp_session_options *options,
				       struct wp_session_io *io)
{
	wp_autosampling struct wp_sampling s;
	wp_autotraced_python struct wp_traced_python traced = {.to = NULL};
	wp_autopython_touches struct wp_python_touches touches = {.notes = NULL};

	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_report_sort_check(&s.recorded.sort, wp_sampling_shown(&s)));
	TRY(wp_emit_prepare(options));
	if (wp_report_sort_wanted(options))
		sort_samples(&s, &traced, &touches);
	if (!wp_report_sort_wanted(options) || options->output.screens)
		wp_sampling_attach_results(&s);
	wp_sampling_fold_idle(&s);
	TRY(wp_sampling_run_recorded(&s));
	wp_traced_python_end(&traced);
	wp_empty_tell_samples(&s, s.samples_seen - s.recorded.left_out);
	if (options->report.blocks)
		return wp_report_hot_blocks(&s);
	if (!wp_report_sort_wanted(options))
		return show_with_others(&s, wp_sampling_report);
	return show_with_others(&s, show_sorted);
}

/* Options of report that its other tables are made by. */
static struct wp_err *check_block_options(const struct wp_session_options *options)
{
	const struct wp_options_report *report = &options->report;
	const struct wp_options_tables *tables = &options->tables;

	if (!report->blocks)
		return NULL;
	if (report->sort || report->children || report->branches || options->sampling.call_graph)
		return wp_err_new(WP_ERR_USAGE, "--blocks is a table of its own: it goes neither "
						"with --sort, --children and --branch nor with -g");
	if (tables->ratio || tables->threads || tables->native_first || tables->symbol_filter ||
	    options->sampling.gil)
		return wp_err_new(WP_ERR_USAGE, "--symbol, --ratio, --threads, --native-first and "
						"--gil are of hot functions, which --blocks does "
						"not show");
	return NULL;
}

struct wp_err *wp_session_report(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	struct wp_session_options with_code = *options;

	if (options->report.memory)
		return wp_session_mem(options, io, ret_exit);
	TRY(check_block_options(options));
	with_code.tables.annotate |= options->report.blocks; /* instructions are counted, too */
	return report_functions(&with_code, io);
}
