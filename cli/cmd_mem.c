/* SPDX-License-Identifier: BSD-3-Clause */
/* mem: loads and stores of a recording. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_input,	&opt_force,	     &opt_mem_sort, &opt_mem_sort_by,
	&opt_mem_rows,	&opt_symbol,	     &opt_long,	    &opt_only_pid,
	&opt_tid,	&opt_only_cpu,	     &opt_time,	    &opt_module,
	&opt_symfs,	&opt_max_memory,     &opt_csv,	    OPTIONS_OUTPUT,
	OPTIONS_SCREEN, &opt_replay_symbols, NULL,
};

const struct verb verb_mem = {
	.name = "mem",
	.usage = "mem [OPTIONS] [FILE]",
	.summary = "show the loads and stores of a recording: where, who answered, how long",
	.options = options,
	.word = "FILE",
	.word_at = offsetof(struct wp_session_options, report.input),
	.is_paged = true,
	.examples = "  perf record -e arm_spe_0/ts_enable=1/ -- ./prog; wperf mem\n"
		    "  wperf mem x.data --sort-by p99\n"
		    "  wperf mem --sort data-line,symbol --sort-by stores\n",
	.help = wp_session_report_help,
	.run = wp_session_mem,
};
