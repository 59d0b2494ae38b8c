/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_pdata: the functions of a PE file that can be unwound, from its table of exceptions (.pdata).
 *
 * Format stage; pure. Sorted by address, x64: 12 bytes an entry {start, end, unwind information},
 * ARM64: 8 bytes {start, unwind information or its packed form}; functions that use no stack have
 * none. Source: Microsoft's "x64 exception handling" and "ARM64 exception handling".
 */
#ifndef WP_PE_PDATA_H
#define WP_PE_PDATA_H

#include "base/bytes.h"
#include "format/pe/pe_image.h"

struct wp_pe_function {
	uint32_t start, end; /* end 0: not known */
	uint32_t unwind;     /* x64: the RVA of its UNWIND_INFO; ARM64: the second word */
};

struct wp_pe_pdata {
	const struct wp_pe_image *image; /* borrowed, as the file */
	const struct wp_pe_file *file;
	const uint8_t *entries;
	size_t n, entry_bytes;
};

/* Of machines other than these two it is empty. */
struct wp_pe_pdata wp_pe_pdata_of(const struct wp_pe_image *image, const struct wp_pe_file *file);
struct wp_pe_function wp_pe_pdata_get(const struct wp_pe_pdata *pdata, size_t i);
/* The function that begins at the address; false when there is none. */
bool wp_pe_pdata_find(const struct wp_pe_pdata *pdata, uint32_t start, struct wp_pe_function *ret);
/*
 * Where the function begins that the entry is a part of. x64 has entries that continue another one
 * (UNW_FLAG_CHAININFO); ARM64 does not say so.
 */
uint32_t wp_pe_pdata_first(const struct wp_pe_pdata *pdata, const struct wp_pe_function *entry);
/* A cursor over what the file has from an address on; empty: nothing. */
struct wp_bytes wp_pe_pdata_bytes(const struct wp_pe_pdata *pdata, uint64_t rva);

#endif
