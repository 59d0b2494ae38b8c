/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_program: see perf_program.h. */
#include "source/perf/perf_program.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>

bool wp_perf_program_set(int program, const struct wp_event *event, int fd)
{
	return program >= 0 && !event->is_member && !event->is_spe && !event->waking_id &&
	       !event->probe && !wp_event_tracepoint(event) &&
	       ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) == 0;
}
