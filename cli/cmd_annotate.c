/* SPDX-License-Identifier: BSD-3-Clause */
/* annotate: functions of a recording as they are written. */
#include "options.h"

static const struct opt opt_bytecode = {
	"--bytecode", NULL, "instructions of Python functions, instead of lines", OPT_KIND_FLAG,
	.at = offsetof(struct wp_session_options, report.bytecode)};

static const struct opt opt_dot = {
	"--dot", NULL, "--blocks as a graph for Graphviz: wperf annotate F --dot | dot -Tsvg",
	OPT_KIND_FLAG, .at = offsetof(struct wp_session_options, report.dot)};

static const struct opt opt_annotate_blocks = {
	"--blocks", NULL, "basic blocks of native functions, and their loops", OPT_KIND_FLAG,
	.at = offsetof(struct wp_session_options, report.blocks)};

static const struct opt *const options[] = {
	&opt_input,
	&opt_force,
	&opt_annotate_rows,
	&opt_hottest,
	&opt_bytecode,
	&opt_annotate_blocks,
	&opt_dot,
	&opt_disassembler_style,
	&opt_source_prefix,
	&opt_only_pid,
	&opt_tid,
	&opt_only_cpu,
	&opt_time,
	&opt_module,
	&opt_symfs,
	&opt_max_memory,
	&opt_csv,
	OPTIONS_OUTPUT,
	OPTIONS_SCREEN,
	&opt_stdio,
	&opt_replay_symbols,
	NULL,
};

const struct verb verb_annotate = {
	.name = "annotate",
	.usage = "annotate [OPTIONS] [FUNCTION|FILE:LINE]",
	.summary = "show functions of a recording as they are written, with samples at each line",
	.options = options,
	.word = "FUNCTION",
	.word_at = offsetof(struct wp_session_options, report.function),
	.is_paged = true,
	.has_screens = true,
	.examples = "  wperf annotate\n"
		    "  wperf annotate Counter.update -i x.data\n"
		    "  wperf annotate app.py:88 --hottest\n"
		    "  wperf annotate Counter.update --bytecode\n"
		    "  wperf annotate deflate_fast -M intel\n"
		    "  wperf annotate deflate_fast --blocks\n",
	.run = wp_session_annotate,
};
