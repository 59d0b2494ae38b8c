/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_view: a PE file as the ELF file that would say the same, so that whatever reads ELF and DWARF
 * (libdw, the symbol tables, the finder of CPythons) reads Windows images, too.
 *
 * Format stage; pure. In: a PE file's bytes. Out: bytes of an ELF file: its program headers have
 * the positions of the PE file, its addresses are those that it was linked for, its symbols the
 * exports and the COFF table. Code and data are not copied; DWARF sections are when asked for.
 */
#ifndef WP_PE_VIEW_H
#define WP_PE_VIEW_H

#include "format/pe/pe_image.h"

/* The caller frees *ret with free(). */
struct wp_err *wp_pe_view_make(const struct wp_pe_file *file, bool debug, void **ret,
			       size_t *ret_size) WP_MUST_CHECK;

#endif
