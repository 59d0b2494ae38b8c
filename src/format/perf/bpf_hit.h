/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_hit: a record of arguments that the BPF program wrote into perf's ring, read.
 *
 * Format stage, pure: struct wp_args_head and texts (bpf/args_wire.h) as raw data of a sample of
 * WP_PERF_SAMPLE_TYPE.
 */
#ifndef WP_BPF_HIT_H
#define WP_BPF_HIT_H

#include "format/trace/probe_format.h"

/* False: it is malformed. texts are borrowed from the bytes; *ret_event is an index in the set. */
bool wp_bpf_hit_parse(const void *bytes, size_t size, struct wp_probe_hit *ret,
		      uint32_t *ret_event);

#endif
