/* export: a recording as a file of another tool. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_format, &opt_input,  &opt_export_output, &opt_output_prefix, &opt_event,
	&opt_symbol, &opt_module, &opt_pid,	      &opt_tid,		  &opt_cpu,
	&opt_time,   &opt_gil,	  &opt_quiet,	      &opt_verbose,	  NULL,
};

const struct verb verb_export = {
	.name = "export",
	.usage = "export --format NAME [-i FILE] [-o FILE] [OPTIONS]",
	.summary = "write a recording as a file that other tools show",
	.options = options,
	.rank = 11,
	.help = wp_session_export_help,
	.run = wp_session_export,
};
