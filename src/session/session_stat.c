/*
 * session_stat: `wperf stat`: counts one period and shows it, or many of them (timeline.h).
 */
#include "session/counting.h"
#include "session/emit.h"
#include "session/timeline.h"
#include "view/view.h"

/* -v, before anything is counted. */
static void print_plan(const struct wp_counting *counting)
{
	if (!counting->options->verbose || !wp_emit_wants_text(counting->options))
		return;
	struct wp_doc *doc = wp_doc_new();

	wp_stat_doc_add_plan(doc, doc->root, &counting->events);
	wp_view_text.render(doc, counting->io->out);
	wp_doc_free(doc);
}

static struct wp_err *count_once(struct wp_counting *counting)
{
	struct wp_counts counts = {0};
	struct wp_doc *doc = wp_doc_new();
	struct wp_err *err;

	err = wp_counting_period(counting, counting->options->timeout_ns, &counts);
	if (!err) {
		wp_stat_doc_add(doc, doc->root, &counting->info, &counts, true);
		wp_stat_doc_add_elapsed(doc, doc->root, counts.elapsed_ns);
		err = wp_emit(counting->options, counting->io, doc);
	}
	wp_doc_free(doc);
	wp_counts_deinit(&counts);
	return err;
}

/* Options of a timeline without one. */
static void warn_no_timeline(const struct wp_session_options *options, const struct wp_log *log)
{
	static const char text[] =
		"unexpected arg '%s' ignored: it is of a timeline, see option -t";

	if (options->timeline)
		return;
	if (options->interval_given)
		wp_log(log, WP_LOG_WARNING, text, "-i");
	if (options->timeline_count)
		wp_log(log, WP_LOG_WARNING, text, "-n");
	if (options->output_csv)
		wp_log(log, WP_LOG_WARNING, text, "--output-csv");
}

struct wp_err *wp_session_stat(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit)
{
	wp_autocounting struct wp_counting counting;

	TRY(wp_counting_init(&counting, options, io));
	warn_no_timeline(options, io->log);
	print_plan(&counting);
	wp_writer_flush(io->out);
	if (options->timeline)
		TRY(wp_timeline_run(&counting));
	else
		TRY(count_once(&counting));
	*ret_exit = wp_counting_finish(&counting);
	return NULL;
}
