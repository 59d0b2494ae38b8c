/* SPDX-License-Identifier: BSD-3-Clause */
/* cmnlist: the meshes there are. */
#include "options.h"

static const struct opt *const options[] = {OPTIONS_OUTPUT, OPTIONS_COMMON};

const struct verb verb_cmnlist = {
	.name = "cmnlist",
	.usage = "cmnlist [--json]",
	.summary = "the coherent mesh networks of this machine",
	.options = options,
	.is_windowsperf = true,
	.run = wp_session_cmnlist,
};
