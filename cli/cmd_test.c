/* SPDX-License-Identifier: BSD-3-Clause */
/* test: the machine as wperf sees it, and what limits this user. */
#include "options.h"

static const struct opt *const options[] = {
	OPTIONS_EVENTS, &opt_metrics, &opt_metric_file, &opt_config, OPTIONS_OUTPUT, OPTIONS_COMMON,
};

const struct verb verb_test = {
	.name = "test",
	.usage = "test [-e LIST] [--json]",
	.summary = "this machine's configuration, and what limits you with its remedy",
	.options = options,
	.is_windowsperf = true,
	.examples = "  wperf test\n"
		    "  wperf test -e '{cycles,instructions}'\n",
	.run = wp_session_test,
};
