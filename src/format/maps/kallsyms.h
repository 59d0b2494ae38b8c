/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kallsyms: lines of /proc/kallsyms: "ADDRESS TYPE NAME" and, for modules, "\t[MODULE]".
 *
 * Source: kernel/kallsyms.c, s_show(). Without the privilege every address is 0.
 */
#ifndef WP_KALLSYMS_H
#define WP_KALLSYMS_H

#include "base/bytes.h"

struct wp_kallsyms_entry {
	uint64_t addr;
	char type;	  /* as nm: 't', 'T', 'w', 'W' are text */
	const char *name; /* borrowed, not NUL-terminated */
	size_t name_len;
	const char *module; /* without brackets; NULL for the core kernel */
	size_t module_len;
};

/*
 * The next line that is well-formed (others are skipped); false at the end. An incomplete last line
 * counts as a line.
 */
bool wp_kallsyms_next(struct wp_bytes *b, struct wp_kallsyms_entry *ret);

#endif
