/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_parts: the parts of the machine probe, one file each. `machine->root` is set; all strings
 * go to machine->arena. With another root than "" only files are read.
 */
#ifndef WP_MACHINE_PARTS_H
#define WP_MACHINE_PARTS_H

#include "core/machine.h"

/* machine_pmus.c: pmus (the CPU's own first, the one of the lowest CPU before others) and what they
 * name themselves (events), but for tracepoints, which are looked up where they are used. */
void wp_machine_probe_pmus(struct wp_machine *machine);
/* machine_cpu.c: vendor, product, arch, kernel, midr, family, online, core_count. */
void wp_machine_probe_cpu(struct wp_machine *machine);
/* machine_spe.c: spe_why; after these. */
void wp_machine_probe_spe(struct wp_machine *machine);
/* machine_limits.c: limits but for tracefs and bpf. */
void wp_machine_probe_limits(struct wp_machine *machine);
/* machine_tracefs.c: limits.tracefs and its companions; after the other limits. */
void wp_machine_probe_tracefs(struct wp_machine *machine);
/*
 * machine_trial.c: opens events and loads a BPF program to see what is possible: has_hw_pmu,
 * hw_pmu_why, gpc_total, gpc_free, fpc, limits.bpf and bpf_missing. After the others.
 */
void wp_machine_probe_trial(struct wp_machine *machine);
/* Without trials: what the files alone say of has_hw_pmu and its companions. */
void wp_machine_assume_counters(struct wp_machine *machine);

/* machine_path.c: "root" + printf text. The caller frees. */
char *wp_machine_path(const struct wp_machine *machine, const char *fmt, ...) WP_PRINTF(2, 3);

#endif
