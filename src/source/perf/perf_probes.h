/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_probes: what a set of descriptors does for its probes: whose hits count, and how many places
 * each is opened at.
 *
 * Source stage; a part of perf_set.
 */
#ifndef WP_PERF_PROBES_H
#define WP_PERF_PROBES_H

#include "core/source.h"
#include "source/bpf/bpf_probes.h"

/* Beside processes, probes are told whose hits count. NULL: nobody's are turned away. */
struct wp_bpf_probes *wp_perf_probes_open(const struct wp_source_options *options);
/* fd, one of the event's, counts what the watched processes hit; nothing if it is no probe. */
struct wp_err *wp_perf_probes_watch(struct wp_bpf_probes *probes,
				    const struct wp_source_options *options,
				    const struct wp_event *event, int fd) WP_MUST_CHECK;
/* How many descriptors the events need in each context at most, with its dummy. */
size_t wp_perf_probes_descriptors(const struct wp_event_set *events);

#endif
