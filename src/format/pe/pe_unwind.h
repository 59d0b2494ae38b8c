/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_unwind: the unwind rules of a PE file's functions, from .pdata and .xdata.
 *
 * Format stage; pure. x64 and ARM64, in the rows of core/unwind_rule.h that ELF files' rules are
 * in, so that whoever walks stacks knows no difference. The unwind codes describe prologues; x64's
 * epilogues are recognised by their bytes, as Windows does it, since only some compilers describe
 * them. Source: Microsoft's "x64 exception handling" and "ARM64 exception handling".
 */
#ifndef WP_PE_UNWIND_H
#define WP_PE_UNWIND_H

#include "core/unwind_rows.h"
#include "format/pe/pe_pdata.h"

/*
 * Appends the rules of all functions to rows, whose base becomes the image's. Code in between uses
 * no stack. Nothing is appended for other machines.
 */
void wp_pe_unwind_compile(const struct wp_pe_image *image, const struct wp_pe_file *file,
			  struct wp_unwind_rows *rows);

/* Appends a rule; one in front of the last is left out: codes that contradict each other. */
void wp_pe_unwind_append(struct wp_unwind_rows *rows, uint32_t pc, struct wp_unwind_rule rule);
/* The parts by machine: one function's rows, from its start to its end. */
void wp_pe_unwind_x64(const struct wp_pe_pdata *pdata, const struct wp_pe_function *function,
		      struct wp_unwind_rows *rows);
void wp_pe_unwind_arm64(const struct wp_pe_pdata *pdata, const struct wp_pe_function *function,
			struct wp_unwind_rows *rows);

#endif
