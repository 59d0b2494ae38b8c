/* SPDX-License-Identifier: BSD-3-Clause */
/* version: of wperf and of what it stands on. */
#include "options.h"

static const struct opt *const options[] = {OPTIONS_OUTPUT, OPTIONS_COMMON};

const struct verb verb_version = {
	.name = "--version",
	.also = "-V, version",
	.usage = "--version [--json]",
	.summary = "the versions of wperf and of the kernel it counts with",
	.options = options,
	.is_windowsperf = true,
	.run = wp_session_version,
};
