/* SPDX-License-Identifier: BSD-3-Clause */
/* sample: hot functions of what already runs. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_pid,
	&opt_image_name,
	&opt_pe_file,
	&opt_sample_cpu,
	&opt_all,
	&opt_cgroup,
	&opt_user,
	&opt_timeout,
	&opt_freq,
	OPTIONS_SAMPLED,
	&opt_filter,
	OPTIONS_CARRIED,
	&opt_data,
	&opt_compress,
	&opt_snapshot,
	&opt_switch_files,
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
	&opt_kernel,
	OPTIONS_OUTPUT_TO(opt_sample_output),
	OPTIONS_SCREEN,
	&opt_pdb_file,
	&opt_max_memory,
	OPTIONS_COMMON,
};

const struct verb verb_sample = {
	.name = "sample",
	.usage = "sample -p PID|--image_name NAME|-c LIST|-a [OPTIONS]",
	.summary = "sample what already runs and show its hot functions",
	.options = options,
	.is_windowsperf = true,
	.is_paged = true,
	.examples = "  wperf sample -p 1234 --timeout 10\n"
		    "  wperf sample --image_name python3 -g --timeout 10\n"
		    "  wperf sample -a -k --timeout 5\n",
	.run = wp_session_sample,
};
