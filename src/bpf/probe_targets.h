/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * probe_targets: which processes are watched, by tgid. probe.bpf.c keeps it; where stacks are
 * walked, the loader gives both objects the same map.
 */
#ifndef WP_BPF_PROBE_TARGETS_H
#define WP_BPF_PROBE_TARGETS_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "bpf/wire.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WP_PROBE_TARGETS);
	__type(key, __u32);
	__type(value, __u32);
} probe_targets SEC(".maps");

#endif
