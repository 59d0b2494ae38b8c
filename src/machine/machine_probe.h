/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_probe: fills a machine description from /proc, /sys, the CPU and a few trial events. */
#ifndef WP_MACHINE_PROBE_H
#define WP_MACHINE_PROBE_H

#include "core/machine.h"
#include "core/place.h"

/*
 * What cannot be found is left empty; that is not an error. root is put in front of /proc and /sys
 * paths ("" for the real ones); with another root nothing is opened or executed, only files are
 * read. The caller deinits.
 */
void wp_machine_probe(const char *root, struct wp_machine *ret);

/* Where a CPU is, by the files of machine->root; read when it is asked for, since few want it. */
struct wp_cpu_place wp_machine_place(const struct wp_machine *machine, uint32_t cpu);

#endif
