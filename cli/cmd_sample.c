/* sample: hot functions of what already runs. */
#include "options.h"

static const struct opt *const options[] = {
	OPTIONS_EVENTS,	 &opt_freq,	  &opt_cpu,	  &opt_pid,	 &opt_all,
	&opt_kernel,	 &opt_image_name, &opt_pe_file,	  &opt_pdb_file, &opt_timeout,
	&opt_rows,	 &opt_long,	  &opt_symbol,	  &opt_annotate, &opt_disassemble,
	&opt_call_graph, &opt_stacks,	  OPTIONS_PYTHON, &opt_data,	 &opt_compress,
	OPTIONS_OUTPUT,	 &opt_color,	  OPTIONS_COMMON,
};

const struct verb verb_sample = {
	.name = "sample",
	.usage = "sample [-e EVENT:PERIOD,...] [OPTIONS]",
	.summary = "sample what already runs and show its hot functions",
	.options = options,
	.rank = 8,
	.run = wp_session_sample,
};
