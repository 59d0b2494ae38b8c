/* SPDX-License-Identifier: BSD-3-Clause */
/* cpuinfo: the CPUs that run. */
#include "options.h"

static const struct opt *const options[] = {OPTIONS_OUTPUT, OPTIONS_COMMON};

const struct verb verb_cpuinfo = {
	.name = "cpuinfo",
	.usage = "cpuinfo [--json]",
	.summary = "the CPUs of this machine: where each is, and what it is",
	.options = options,
	.is_windowsperf = true,
	.run = wp_session_cpuinfo,
};
