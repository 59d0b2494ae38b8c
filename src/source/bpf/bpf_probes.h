/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_probes: who is watched, as the kernel is told: processes, and all that they start, whose hits
 * of a probe count (src/bpf/probe.bpf.c).
 *
 * Source stage; libbpf. It needs root, or CAP_BPF and CAP_PERFMON. Everything ends with its
 * descriptors. Built without libbpf or clang, opening it is refused (bpf_walker_none.c).
 */
#ifndef WP_BPF_PROBES_H
#define WP_BPF_PROBES_H

#include "base/err.h"
#include "core/target.h"

#include <stdbool.h>

struct wp_bpf_probes;
struct wp_bpf_walker;

/* The map of a walker that is to know whose hits are wanted (bpf_walker.c). */
int wp_bpf_walker_targets(const struct wp_bpf_walker *walker);
/*
 * For the target's processes; a launched one counts from its exec on. targets_fd, unless it is
 * negative, is a map of a walker's object that is to know them, too.
 */
struct wp_err *wp_bpf_probes_open(const struct wp_target *target, int targets_fd,
				  struct wp_bpf_probes **ret) WP_MUST_CHECK;
/* The map that knows them. */
int wp_bpf_probes_targets(const struct wp_bpf_probes *probes);
void wp_bpf_probes_close(struct wp_bpf_probes *probes);
/* Lets the event of a probe count in those processes only. False and errno: it cannot. */
bool wp_bpf_probes_filter(struct wp_bpf_probes *probes, int event_fd);

#endif
