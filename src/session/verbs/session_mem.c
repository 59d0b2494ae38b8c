/* SPDX-License-Identifier: BSD-3-Clause */
/* session_mem: `wperf mem` and `report --mem`, the loads and stores of what was recorded. */
#include "recording/recording.h"
#include "session/emit.h"
#include "session/recorded/mem_report.h"
#include "session/recorded/python_touches.h"
#include "session/recorded/sampling_recorded.h"
#include "session/recorded/sort_keys.h"
#include "session/recorded/traced_python.h"
#include "session/report/empty.h"
#include "session/verbs/machine_docs.h"

struct wp_err *wp_session_mem(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit)
{
	wp_autosampling struct wp_sampling s;
	wp_automem_report struct wp_mem_report report = {.n = 0};
	wp_autotraced_python struct wp_traced_python traced = {.to = NULL};
	wp_autopython_touches struct wp_python_touches touches = {.notes = NULL};
	struct wp_report_sort_parts parts = {
		.options = options,
		.events = &s.events,
		.threads = &s.python.threads,
		.image = &s.image,
	};

	(void)ret_exit;
	TRY(wp_sampling_init_recorded(options, io, &s));
	parts.resolver = s.resolver;
	parts.source = s.source;
	parts.ahead = wp_recording_read_ahead(s.source);
	parts.sp_bit = wp_recorded_sp_bit(s.source);
	parts.traced = &traced;
	if (!s.recorded.sort.n || s.recorded.sort.needs & WP_SORT_TOUCHES)
		wp_python_touches_init(&touches, wp_recording_touched(s.source));
	parts.touches = &touches;
	TRY(wp_report_sort_check(&s.recorded.sort, &s.events));
	TRY(wp_mem_report_init(&report, &s.recorded.sort, &parts));
	TRY(wp_emit_prepare(options));
	wp_traced_python_init(&traced, wp_mem_report_sink(&report), s.resolver, parts.ahead);
	wp_sampling_attach(&s, wp_traced_python_sink(&traced));
	TRY(wp_sampling_run_recorded(&s));
	wp_traced_python_end(&traced);
	wp_empty_tell_samples(&s, s.samples_seen - s.recorded.left_out);
	return wp_emit_and_free(options, s.io, wp_mem_report_doc(&report, s.lost));
}

struct wp_err *wp_session_mem_columns(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit)
{
	(void)options, (void)ret_exit;
	wp_mem_columns_list(io->out);
	return NULL;
}
