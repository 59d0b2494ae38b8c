/* stat: count events. */
#include "options.h"

static const struct opt *const options[] = {
	OPTIONS_EVENTS,	  &opt_metrics,	  &opt_metric_file, &opt_topdown,   &opt_config,
	&opt_cpu,	  &opt_pid,	  &opt_all,	    &opt_kernel,    &opt_pe_file,
	&opt_spawn_delay, &opt_dmc,	  &opt_timeout,	    &opt_timeline,  &opt_interval,
	&opt_count,	  OPTIONS_OUTPUT, &opt_output_csv,  OPTIONS_COMMON,
};

const struct verb verb_stat = {
	.name = "stat",
	.usage = "stat -e LIST [OPTIONS] [-- COMMAND ARGS]",
	.summary = "count events: on CPUs, in a running process, or in a command",
	.options = options,
	.takes_command = true,
	.rank = 7,
	.run = wp_session_stat,
};
