/* session_report: `wperf report`, hot functions of what was recorded. */
#include "session/machine_docs.h"
#include "session/sampling.h"

static bool is_interrupted(const struct wp_sampling *s)
{
	return s->io->interrupted && *s->io->interrupted;
}

struct wp_err *wp_session_report(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	wp_autosampling struct wp_sampling s;

	(void)ret_exit;
	TRY(wp_sampling_init_recorded(options, io, &s));
	while (!s.ended && !is_interrupted(&s))
		TRY(wp_sampling_take(&s, 0));
	s.elapsed_ns = s.source->ops->elapsed_ns(s.source);
	TRY(s.source->ops->stop(s.source));
	wp_sampling_recorded_end(&s);
	wp_sampling_show_notes(&s);
	return options->sort ? wp_emit_and_free(options, s.io, wp_report_sort_doc(&s))
			     : wp_sampling_report(&s);
}
