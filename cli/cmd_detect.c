/* SPDX-License-Identifier: BSD-3-Clause */
/* detect: the devices that count. */
#include "options.h"

static const struct opt *const options[] = {OPTIONS_OUTPUT, OPTIONS_COMMON};

const struct verb verb_detect = {
	.name = "detect",
	.usage = "detect [--json]",
	.summary = "the PMU devices of this machine",
	.options = options,
	.is_windowsperf = true,
	.run = wp_session_detect,
};
