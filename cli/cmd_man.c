/* SPDX-License-Identifier: BSD-3-Clause */
/* man: what an event or metric means. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_extra_events, &opt_metric_file, &opt_event_data, OPTIONS_OUTPUT, OPTIONS_COMMON,
};

const struct verb verb_man = {
	.name = "man",
	.usage = "man [CPU/]EVENT|METRIC|GROUP",
	.summary = "what an event, a metric or a group of metrics means",
	.options = options,
	.is_windowsperf = true,
	.examples = "  wperf man page-faults\n"
		    "  wperf man neoverse-n1/l1d_cache\n",
	.word = "NAME",
	.word_at = offsetof(struct wp_session_options, man_topic),
	.run = wp_session_man,
};
