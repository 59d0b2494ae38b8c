/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_output: see bpf_output.h. */
#include "source/bpf/bpf_output.h"

#include "format/perf/bpf_walk.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <time.h>

int wp_bpf_output_open(const struct wp_perf_set *set, size_t ring, int map, bool urgent,
		       struct wp_bpf_output *ret)
{
	uint32_t cpu = set->rings.v[ring].cpu;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = WP_PERF_SAMPLE_TYPE | PERF_SAMPLE_RAW,
		.sample_period = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = !urgent,
		.wakeup_events = urgent,
	};

	*ret = (struct wp_bpf_output){.fd = wp_perf_attr_open(&attr, -1, (int)cpu, -1),
				      .id = WP_BPF_NO_ID};
	if (ret->fd < 0 ||
	    ioctl(ret->fd, PERF_EVENT_IOC_SET_OUTPUT, set->counters.v[ring].fd) < 0 ||
	    ioctl(ret->fd, PERF_EVENT_IOC_ID, &ret->id) < 0 ||
	    bpf_map_update_elem(map, &cpu, &ret->fd, BPF_ANY) < 0)
		return errno;
	return 0;
}
