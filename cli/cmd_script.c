/* SPDX-License-Identifier: BSD-3-Clause */
/* script: the samples of a recording, one after the other. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_input,	 &opt_force,	&opt_max_memory, &opt_fields,	      &opt_script_json,
	OPTIONS_FILTERS, &opt_no_pager, &opt_verbose,	 &opt_replay_symbols, NULL,
};

const struct verb verb_script = {
	.name = "script",
	.usage = "script [OPTIONS] [FILE]",
	.summary = "print the samples of a recording, each with its stack",
	.options = options,
	.word = "FILE",
	.word_at = offsetof(struct wp_session_options, report.input),
	.is_paged = true,
	.examples = "  wperf script\n"
		    "  wperf script x.data -F comm,time,sym --tid 1234\n",
	.run = wp_session_script,
};
