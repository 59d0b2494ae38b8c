/* SPDX-License-Identifier: BSD-3-Clause */
/* report: hot functions of a recording. */
#include "options.h"

static const struct opt opt_hot_blocks = {
	"--blocks", NULL, "the hottest basic blocks of all native functions instead", OPT_KIND_FLAG,
	.at = offsetof(struct wp_session_options, report.blocks)};

static const struct opt *const options[] = {
	&opt_input,
	&opt_force,
	&opt_call_graph,
	&opt_sort,
	&opt_children,
	&opt_branches,
	&opt_hot_blocks,
	&opt_memory,
	&opt_time_slice,
	&opt_threads,
	&opt_gil,
	&opt_symbol,
	&opt_rows,
	&opt_sort_by,
	&opt_native_first,
	&opt_ratio,
	&opt_long,
	&opt_only_pid,
	&opt_tid,
	&opt_only_cpu,
	&opt_time,
	&opt_module,
	&opt_symfs,
	&opt_report_wall,
	&opt_waits,
	&opt_wakers,
	&opt_idle,
	&opt_max_memory,
	&opt_csv,
	OPTIONS_OUTPUT,
	OPTIONS_SCREEN,
	&opt_stdio,
	&opt_replay_symbols,
	NULL,
};

const struct verb verb_report = {
	.name = "report",
	.usage = "report [OPTIONS] [FILE]",
	.summary = "show the hot functions of a recording (--data FILE, or perf's)",
	.options = options,
	.word = "FILE",
	.word_at = offsetof(struct wp_session_options, report.input),
	.is_paged = true,
	.has_screens = true,
	.examples = "  wperf report\n"
		    "  wperf report x.data --sort process,symbol\n"
		    "  wperf report -g --time 1s,2s\n",
	.help = wp_session_report_help,
	.run = wp_session_report,
};
