/* SPDX-License-Identifier: BSD-3-Clause */
/* top: what is hot now, again and again. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_pid,	 &opt_image_name,   &opt_top_cpu,   &opt_all,	    &opt_cgroup,
	&opt_user,	 &opt_as_user,	    &opt_top_delay, &opt_top_count, &opt_timeout,
	&opt_freq,	 OPTIONS_SAMPLED,   &opt_filter,    &opt_kernel,    &opt_python,
	&opt_call_graph, &opt_stacks,	    &opt_gil,	    &opt_symbol,    &opt_top_rows,
	&opt_sort_by,	 &opt_native_first, &opt_long,	    &opt_json,	    &opt_quiet,
	&opt_color,	 &opt_wide,	    &opt_width,	    &opt_stdio,	    &opt_max_memory,
	OPTIONS_COMMON,
};

const struct verb verb_top = {
	.name = "top",
	.usage = "top [-p PID|-c LIST|-a] [OPTIONS] [[--] COMMAND ARGS]",
	.summary = "show what is hot now, in Python and native code, again and again",
	.options = options,
	.takes_command = true,
	.has_screens = true,
	.examples = "  wperf top -p 1234\n"
		    "  wperf top -a -k -d 5\n"
		    "  wperf top -F 100 -p 1234 --count 10 --json\n"
		    "  wperf top -- python3 x.py\n",
	.run = wp_session_top,
};
