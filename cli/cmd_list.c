/* SPDX-License-Identifier: BSD-3-Clause */
/* list: what can be counted here. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_extra_events, &opt_metric_file, &opt_event_data, OPTIONS_OUTPUT, OPTIONS_COMMON,
};

const struct verb verb_list = {
	.name = "list",
	.also = "-l",
	.usage = "list [-v] [--json] [PATTERN]",
	.summary = "the events, metrics and groups of metrics of this machine",
	.options = options,
	.is_windowsperf = true,
	.examples = "  wperf list cache\n"
		    "  wperf list -v 'sched:*'\n",
	.word = "PATTERN",
	.word_at = offsetof(struct wp_session_options, pattern),
	.run = wp_session_list,
};
