/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_extras: unwind rules that follow from what a module is, not from call frame information.
 *
 * PLT entries of linkers that describe none (lld, and every one on arm64), the entry point,
 * functions that are the outermost by their name (musl, Go), signal trampolines without a
 * description (musl, the arm64 vdso), code with frame pointers by convention (V8's builtins, Go
 * without .debug_frame).
 */
#ifndef WP_UNWIND_EXTRAS_H
#define WP_UNWIND_EXTRAS_H

#include "core/unwind_rows.h"
#include "resolve/symbols/symfile.h"

/* Lays them over the module's rows, mostly only where those say nothing. */
void wp_unwind_extras_lay(Elf *elf, const struct wp_symfile *file, bool has_debug_frame,
			  struct wp_unwind_rows *rows);
/* Only those that follow from names: all that there are of a PE file. */
void wp_unwind_extras_name(const struct wp_symtab *symbols, struct wp_unwind_rows *rows);

#endif
