/* SPDX-License-Identifier: BSD-3-Clause */
/* dump: what every thread of some processes is doing now. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_pid,
	&opt_dump_all,
	&opt_dump_children,
	&opt_dump_core,
	&opt_input,
	&opt_force,
	&opt_time,
	&opt_dump_tid,
	&opt_dump_frames,
	&opt_dump_kernel,
	&opt_dump_locals,
	&opt_dump_async,
	&opt_interpreter_frames,
	&opt_max_memory,
	OPTIONS_OUTPUT,
	&opt_no_pager,
	NULL,
};

const struct verb verb_dump = {
	.name = "dump",
	.usage = "dump -p PID | --all | --core FILE | -i FILE [OPTIONS]",
	.summary = "show what every thread of a process is doing now, without stopping it",
	.options = options,
	.is_paged = true,
	.examples = "  wperf dump -p 1234\n"
		    "  wperf dump -p 1234 --children\n"
		    "  wperf dump -p 1234 --locals --frames python\n"
		    "  wperf dump -p 1234 --async\n"
		    "  wperf dump --all\n"
		    "  wperf dump -p 1234,1240 --frames python\n"
		    "  wperf dump --core core.1234\n"
		    "  wperf dump -i perf.data -p 1234\n"
		    "  wperf dump -p 1234 --json\n",
	.run = wp_session_dump,
};
