/* SPDX-License-Identifier: BSD-3-Clause */
/* record: start a command, sample it, show its hot functions. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_freq,
	OPTIONS_SAMPLED,
	&opt_filter,
	OPTIONS_CARRIED,
	&opt_record_data,
	&opt_no_data,
	&opt_compress,
	&opt_switch,
	&opt_switch_files,
	&opt_snapshot,
	&opt_level,
	&opt_call_graph,
	&opt_stacks,
	OPTIONS_PYTHON,
	&opt_symbol,
	&opt_rows,
	&opt_sort_by,
	&opt_native_first,
	&opt_ratio,
	&opt_long,
	&opt_annotate,
	&opt_disassemble,
	&opt_disassembler_style,
	&opt_timeout,
	&opt_record_cpu,
	&opt_all,
	&opt_cgroup,
	&opt_kernel,
	OPTIONS_OUTPUT_TO(opt_sample_output),
	OPTIONS_SCREEN,
	&opt_start_pe_file,
	&opt_record_image,
	&opt_pdb_file,
	&opt_max_memory,
	&opt_as_user,
	&opt_spawn_delay,
	OPTIONS_COMMON,
};

const struct verb verb_record = {
	.name = "record",
	.usage = "record [OPTIONS] [--] COMMAND ARGS",
	.summary = "start a command, sample it and show its hot functions",
	.options = options,
	.is_windowsperf = true,
	.is_paged = true,
	.takes_command = true,
	.needs_command = true,
	.examples = "  wperf record -F 1000 -- python3 x.py\n"
		    "  wperf record -g -- ./prog && wperf report -g\n"
		    "  wperf record -e page-faults:1 -- ./prog\n",
	.run = wp_session_record,
};
