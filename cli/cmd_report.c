/* report: hot functions of a recording. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_input,	 &opt_symfs,   &opt_rows,      &opt_long,  &opt_symbol,
	&opt_call_graph, &opt_threads, &opt_gil,       &opt_pid,   &opt_tid,
	&opt_cpu,	 &opt_time,    &opt_module,    &opt_sort,  &opt_children,
	&opt_time_slice, &opt_csv,     OPTIONS_OUTPUT, &opt_color, NULL,
};

const struct verb verb_report = {
	.name = "report",
	.usage = "report [-i FILE] [OPTIONS]",
	.summary = "show the hot functions of a recording (--data FILE, or perf's)",
	.options = options,
	.is_paged = true,
	.rank = 10,
	.run = wp_session_report,
};
