/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_gaps: unwind rules for code that nothing describes (musl, code without unwind tables),
 * read off its instructions; and signal trampolines known by their bytes.
 */
#ifndef WP_UNWIND_GAPS_H
#define WP_UNWIND_GAPS_H

#include "core/unwind_rows.h"
#include "resolve/symbols/symfile.h"

/* Fills what is still a gap in the module's code. */
void wp_unwind_gaps_fill(Elf *elf, const struct wp_symfile *file, struct wp_unwind_rows *rows);

#endif
