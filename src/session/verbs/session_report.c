/* SPDX-License-Identifier: BSD-3-Clause */
/* session_report: `wperf report`, hot functions of what was recorded. */
#include "session/emit.h"
#include "session/report/empty.h"
#include "session/verbs/machine_docs.h"
#include "session/recorded/sampling_recorded.h"

static void sort_samples(struct wp_sampling *s)
{
	struct wp_report_sort_parts parts = {
		.options = s->options,
		.events = wp_sampling_shown(s),
		.resolver = s->resolver,
		.source = s->source,
		.threads = &s->python.threads,
		.image = &s->image,
		.sp_bit = wp_recorded_sp_bit(s->source),
	};

	wp_sampling_attach(s, wp_report_sort_sink(&s->recorded.sort, &parts));
}

static struct wp_err *report_functions(const struct wp_session_options *options,
				       struct wp_session_io *io)
{
	wp_autosampling struct wp_sampling s;
	struct wp_doc *doc;

	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_report_sort_check(&s.recorded.sort, wp_sampling_shown(&s)));
	TRY(wp_emit_prepare(options));
	if (wp_report_sort_wanted(options))
		sort_samples(&s);
	else
		wp_sampling_attach_results(&s);
	TRY(wp_sampling_run_recorded(&s));
	wp_empty_tell_samples(&s, s.samples_seen - s.recorded.left_out);
	if (!wp_report_sort_wanted(options))
		return wp_sampling_report(&s);
	doc = wp_report_sort_doc(&s.recorded.sort, s.lost);
	wp_empty_tell_symbol(&s, doc);
	return wp_emit_and_free(options, s.io, doc);
}

struct wp_err *wp_session_report(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	return options->report.memory ? wp_session_mem(options, io, ret_exit)
				      : report_functions(options, io);
}
