/* SPDX-License-Identifier: BSD-3-Clause */
/* export: a recording as a file of another tool. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_format,
	&opt_input,
	&opt_force,
	&opt_max_memory,
	&opt_frames,
	&opt_lines,
	&opt_report_wall,
	&opt_idle,
	&opt_export_output,
	&opt_open,
	&opt_export_prefix,
	OPTIONS_FILTERS,
	&opt_export_json,
	&opt_export_quiet,
	&opt_verbose,
	&opt_replay_symbols,
	NULL,
};

const struct verb verb_export = {
	.name = "export",
	.usage = "export [OPTIONS] [FILE]",
	.summary = "write a recording as a file that other tools show",
	.options = options,
	.word = "FILE",
	.word_at = offsetof(struct wp_session_options, report.input),
	.help = wp_session_export_help,
	.examples = "  wperf export --open\n"
		    "  wperf export --frames python --lines -o app.svg app.data\n"
		    "  wperf export --format speedscope x.data -o x.json\n",
	.run = wp_session_export,
};
