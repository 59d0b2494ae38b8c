/* session_report: `wperf report`, hot functions of what was recorded. */
#include "session/emit.h"
#include "session/machine_docs.h"
#include "session/sampling.h"

struct wp_err *wp_session_report(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	wp_autosampling struct wp_sampling s;

	(void)ret_exit;
	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_emit_prepare(options));
	TRY(wp_sampling_run_recorded(&s));
	return wp_report_sort_wanted(options)
		       ? wp_emit_and_free(options, s.io, wp_report_sort_doc(&s))
		       : wp_sampling_report(&s);
}
