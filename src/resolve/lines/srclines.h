/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * srclines: source files and lines of a module's addresses, from its DWARF line tables or its PDB.
 *
 * libdw reads DWARF, from the first question on: compilation units are indexed by address then;
 * each unit's line table is decoded when an address first falls into it.
 */
#ifndef WP_SRCLINES_H
#define WP_SRCLINES_H

#include "base/log.h"
#include "core/addr.h"
#include "format/elf/elf_file.h"
#include "format/pdb/pdb.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct wp_srclines;

/*
 * Takes the descriptor of the file with .debug_line; NULL when it is none. Addresses asked for are
 * `shift` higher than the file's own.
 */
struct wp_srclines *wp_srclines_open(int fd, uint64_t shift, struct wp_budget *budget);
/* The lines of an open file, whose own addresses are asked for; takes the file in any case. */
struct wp_srclines *wp_srclines_of(struct wp_elf_file *file, struct wp_budget *budget);
/* The lines of a PDB, which outlives them, for an image that was linked for that base. */
struct wp_srclines *wp_srclines_of_pdb(struct wp_pdb *pdb, uint64_t base);
/*
 * Lines of a stranger's file: from then on no line table is decoded that would keep us long (a byte
 * is a row, a row most of a microsecond).
 */
void wp_srclines_bound(struct wp_srclines *lines);
/* Notes once that there was such a table. */
void wp_srclines_tell(struct wp_srclines *lines, const struct wp_log *log, const char *name);
/* True when libdw may be asked for what is in the unit's line table. */
bool wp_srclines_may_decode(struct wp_srclines *lines, Dwarf_Die *unit);
/* *ret_file lives as long as the table. False when no unit covers the address. */
bool wp_srclines_find(struct wp_srclines *lines, struct wp_rva rva, const char **ret_file,
		      uint32_t *ret_line);
/*
 * The DWARF unit whose code covers the address, and that address in it; both live as long as the
 * table. False when there is none.
 */
bool wp_srclines_unit(struct wp_srclines *lines, struct wp_rva rva, Dwarf_Die *ret_unit,
		      uint64_t *ret_addr);
/* The whole path of a file that a unit names; lives as long as the table. */
const char *wp_srclines_path(struct wp_srclines *lines, Dwarf_Die *unit, const char *file);
/* One of the two is NULL at least. */
Dwarf *wp_srclines_dwarf(struct wp_srclines *lines);
struct wp_pdb *wp_srclines_pdb(const struct wp_srclines *lines, uint64_t *ret_base);
void wp_srclines_free(struct wp_srclines *lines);

#endif
