/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_symbols: the names that a PE file gives its addresses: exports and the COFF symbol table.
 *
 * Format stage; pure. The COFF table is deprecated for images, but the GNU and Go linkers write it;
 * Microsoft's leaves names to the PDB. Neither has sizes: those of functions are in .pdata.
 * Source: Microsoft's "PE Format", the sections on .edata and the COFF symbol table.
 */
#ifndef WP_PE_SYMBOLS_H
#define WP_PE_SYMBOLS_H

#include "format/pe/pe_image.h"

enum wp_pe_symbol_kind {
	WP_PE_SYMBOL_FUNCTION,
	WP_PE_SYMBOL_LABEL, /* in code, of no type */
	WP_PE_SYMBOL_DATA,
};

struct wp_pe_symbol {
	const char *name; /* of the file, without a NUL */
	size_t len;
	uint32_t rva;
	enum wp_pe_symbol_kind kind;
	bool local;
};

/* Calls take for each of them, exports first. Damaged ones are left out. */
void wp_pe_symbols_each(const struct wp_pe_image *image, const struct wp_pe_file *file,
			void (*take)(void *arg, const struct wp_pe_symbol *symbol), void *arg);

#endif
