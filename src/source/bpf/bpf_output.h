/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_output: the event with which a BPF program writes records into perf's ring of a CPU
 * (bpf_perf_event_output(), by a map of such events).
 *
 * Source stage. What is written with it comes as samples of that event's id.
 */
#ifndef WP_BPF_OUTPUT_H
#define WP_BPF_OUTPUT_H

#include "source/perf/perf_set.h"

#define WP_BPF_NO_ID UINT64_MAX /* of one that could not be opened */

struct wp_bpf_output {
	int fd; /* -1: not open */
	uint64_t id;
};

/*
 * Opens it for a ring of the set and puts it into a map. urgent: each record wakes whoever waits,
 * else a ring that is half full does. 0, or an errno value; ENODEV: the CPU was taken away. The
 * caller closes ret->fd in any case when it is not -1.
 */
int wp_bpf_output_open(const struct wp_perf_set *set, size_t ring, int map, bool urgent,
		       struct wp_bpf_output *ret);

#endif
