/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_bounds: whether an ELF file may be read: small files can say that they are large.
 *
 * Format stage. A file of a few blocks may have gigabytes of holes, sections that lie over one
 * another, or some that grow a thousandfold when they are inflated; libelf and libdw read whole
 * sections into memory. What may be read is bounded by what the file really has on its disk.
 */
#ifndef WP_ELF_BOUNDS_H
#define WP_ELF_BOUNDS_H

#include "core/budget.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* How many bytes a file may give: many times what it has (file systems compress), and some more. */
uint64_t wp_elf_bounds_of(int fd);
/* The sections that are read are together no larger; elf is the descriptor's. */
bool wp_elf_bounds_hold(Elf *elf, int fd);
/*
 * libdw's handle for the DWARF of an ELF file, whose sections must not grow too much when they are
 * inflated and whose strings must end, since libdw reads beyond those that do not; or NULL.
 * What libdw keeps of it is taken from the budget, for the run.
 */
Dwarf *wp_elf_bounds_dwarf(Elf *elf, struct wp_budget *budget);

#endif
