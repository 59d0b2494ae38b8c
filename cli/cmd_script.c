/* script: the samples of a recording, one after the other, as text. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_input, &opt_fields, OPTIONS_FILTERS, &opt_verbose, &opt_replay_symbols, NULL,
};

const struct verb verb_script = {
	.name = "script",
	.usage = "script [-i FILE] [OPTIONS]",
	.summary = "print the samples of a recording, each with its stack",
	.options = options,
	.is_paged = true,
	.rank = 12,
	.run = wp_session_script,
};
