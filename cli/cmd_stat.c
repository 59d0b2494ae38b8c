/* SPDX-License-Identifier: BSD-3-Clause */
/* stat: count events. */
#include "options.h"

static const struct opt *const options[] = {
	OPTIONS_EVENTS,
	&opt_filter,
	&opt_metrics,
	&opt_metric_file,
	&opt_topdown,
	&opt_pid,
	&opt_stat_cpu,
	&opt_all,
	&opt_cgroup,
	&opt_each_cgroup,
	&opt_user,
	&opt_kernel,
	&opt_dmc,
	&opt_start_pe_file,
	&opt_repeat,
	&opt_table,
	&opt_interval_print,
	&opt_interval_count,
	&opt_separator,
	&opt_append,
	&opt_per_cpu,
	&opt_per_core,
	&opt_per_die,
	&opt_per_socket,
	&opt_per_node,
	&opt_per_thread,
	&opt_delay,
	&opt_no_inherit,
	&opt_stat_timeout,
	&opt_timeline,
	&opt_interval,
	&opt_count,
	&opt_output_csv,
	OPTIONS_OUTPUT_TO(opt_stat_output),
	&opt_config,
	&opt_spawn_delay,
	OPTIONS_COMMON,
};

const struct verb verb_stat = {
	.name = "stat",
	.usage = "stat [OPTIONS] [[--] COMMAND ARGS]",
	.summary = "count events: on CPUs, in a running process, or in a command",
	.options = options,
	.is_windowsperf = true,
	.takes_command = true,
	.examples = "  wperf stat -- python3 x.py\n"
		    "  wperf stat -r 5 --table -- python3 x.py\n"
		    "  wperf stat -I 1000 -x, -o counts.csv -p 1234\n"
		    "  wperf stat -e page-faults,context-switches -- python3 x.py\n"
		    "  wperf stat -e instructions,cycles -p 1234 --timeout 10\n"
		    "  wperf stat -e page-faults -c 0 -t --timeout 1 -i 0 -n 5\n",
	.run = wp_session_stat,
};
