/* export: a recording as a file of another tool. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_format,	    &opt_input,		 &opt_export_output,
	&opt_export_prefix, OPTIONS_FILTERS,	 &opt_export_quiet,
	&opt_verbose,	    &opt_replay_symbols, NULL,
};

const struct verb verb_export = {
	.name = "export",
	.usage = "export --format NAME [-i FILE] [-o FILE] [OPTIONS]",
	.summary = "write a recording as a file that other tools show",
	.options = options,
	.help = wp_session_export_help,
	.rank = 11,
	.run = wp_session_export,
};
