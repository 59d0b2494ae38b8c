/* SPDX-License-Identifier: BSD-3-Clause */
/* options_dump: the options of dump alone; see options.h. */
#include "option_fields.h"
#include "options.h"

const struct opt opt_dump_tid = {"-t, --tid", "LIST", "only these threads", TEXT(report.tids)};
const struct opt opt_dump_all = {"-a, --all", NULL, "every process that runs Python",
				 FLAG(target.all)};
const struct opt opt_dump_children = {"--children, --subprocesses", NULL,
				      "their children, too, and the children of these",
				      FLAG(target.descendants)};
const struct opt opt_dump_core = {"--core", "FILE", "the process that a core file is of",
				  TEXT(target.core)};
const struct opt opt_dump_locals = {"--locals", NULL,
				    "the variables of Python functions, and what they hold",
				    FLAG(exports.locals)};
const struct opt opt_dump_async = {
	"--async", NULL, "asyncio's tasks: where each waits, and who awaits what a thread runs",
	FLAG(sampling.async)};
const struct opt opt_dump_kernel = {"-k, --kernel", NULL, "the kernel's frames, too",
				    FLAG(target.kernel)};
const struct opt opt_dump_frames = {"--frames", "WHICH", "python, native or all frames (all)",
				    TEXT(exports.frames), .values = "all native python"};
