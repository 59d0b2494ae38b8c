/* SPDX-License-Identifier: BSD-3-Clause */
/* cmninfo: what is where in a mesh. */
#include "options.h"

static const struct opt *const options[] = {OPTIONS_OUTPUT, OPTIONS_COMMON};

const struct verb verb_cmninfo = {
	.name = "cmninfo",
	.usage = "cmninfo [--json]",
	.summary = "what is where in the coherent mesh network of an Arm server",
	.options = options,
	.is_windowsperf = true,
	.run = wp_session_cmninfo,
};
