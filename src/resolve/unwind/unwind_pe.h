/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_pe: the unwind rules of a Windows image.
 *
 * Resolve stage. x64 and ARM64 images have .pdata (format/pe/pe_unwind). x86 ones have nothing of
 * the kind: GNU's linkers keep .eh_frame, other linkers put frames into the PDB; code that neither
 * describes mostly keeps a frame pointer, whose prologues and epilogues are found by their bytes.
 */
#ifndef WP_UNWIND_PE_H
#define WP_UNWIND_PE_H

#include "core/unwind_rows.h"
#include "resolve/symbols/symfile.h"

/* False unless the module is a PE file; *ret may be empty. The caller deinits it. */
bool wp_unwind_pe_compile(const struct wp_symfile_source *source, const struct wp_symfile *file,
			  struct wp_unwind_rows *ret);

#endif
