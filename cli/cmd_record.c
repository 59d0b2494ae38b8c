/* record: start a command, sample it, show its hot functions. */
#include "options.h"

static const struct opt *const options[] = {
	OPTIONS_EVENTS,	 &opt_freq,    &opt_cpu,       &opt_all,	 &opt_kernel,
	&opt_image_name, &opt_pe_file, &opt_pdb_file,  &opt_timeout,	 &opt_rows,
	&opt_long,	 &opt_symbol,  &opt_annotate,  &opt_disassemble, &opt_spawn_delay,
	&opt_call_graph, &opt_stacks,  OPTIONS_PYTHON, &opt_data,	 &opt_compress,
	OPTIONS_OUTPUT,	 &opt_color,   OPTIONS_COMMON,
};

const struct verb verb_record = {
	.name = "record",
	.usage = "record [-e EVENT:PERIOD,...] [OPTIONS] -- COMMAND ARGS",
	.summary = "start a command, sample it and show its hot functions",
	.options = options,
	.takes_command = true,
	.rank = 9,
	.run = wp_session_record,
};
