/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alt_debug: the file that several debug files share (dwz, .gnu_debugaltlink).
 *
 * Resolve stage. Left alone, libdw opens whatever name the debug file gives when it first needs it:
 * a FIFO would block us, a device would do things. So it is opened here, as all that strangers
 * name: a regular file, and of the build that is wanted.
 */
#ifndef WP_ALT_DEBUG_H
#define WP_ALT_DEBUG_H

#include "core/budget.h"

#include <elfutils/libdw.h>

struct wp_alt_debug {
	int fd; /* -1: none */
	Elf *elf;
	Dwarf *dwarf; /* NULL: none is wanted */
	void *memory;
};

/*
 * Gives `debug`, the DWARF of the open file fd (-1: of memory), what it shares with others; nothing
 * in the place of what cannot be had, so that libdw does not look for it. What is kept of it is
 * taken from the budget. *ret outlives debug; the caller deinits.
 */
void wp_alt_debug_set(Dwarf *debug, int fd, struct wp_budget *budget, struct wp_alt_debug *ret);
void wp_alt_debug_deinit(struct wp_alt_debug *alt);

#endif
