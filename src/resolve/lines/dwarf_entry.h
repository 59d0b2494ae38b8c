/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dwarf_entry: what libdw does not look at when it reads an entry of debug information (a DIE):
 * that its attributes, and texts in them, end within the section.
 */
#ifndef WP_DWARF_ENTRY_H
#define WP_DWARF_ENTRY_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* True when all its attributes are there. */
bool wp_dwarf_entry_is_whole(Dwarf_Die *die);
/* The text of an attribute of the entry, else of the one that it is an instance of (DWARF 5,
 * 2.13.2, 3.3.8.2); NULL: none. Lives as long as the debug information. */
const char *wp_dwarf_entry_text(const Dwarf_Die *die, unsigned int attribute);

#endif
