/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_image: what a Windows image (PE: .exe, .dll, .sys) says of itself: sections, directories,
 * where its symbols are, which PDB belongs to it.
 *
 * Format stage; pure. In: the file's bytes, or as many of its first ones as hold the headers.
 * Addresses are RVAs (from the image's base) unless said otherwise. Source: Microsoft's "PE
 * Format".
 */
#ifndef WP_PE_IMAGE_H
#define WP_PE_IMAGE_H

#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_PE_MACHINE_I386  0x14c
#define WP_PE_MACHINE_AMD64 0x8664
#define WP_PE_MACHINE_ARM64 0xaa64

#define WP_PE_DLL  0x2000      /* in characteristics */
#define WP_PE_CODE 0x20000000u /* of a section: may be executed */
#define WP_PE_DATA 0x80000000u /* may be written */

enum wp_pe_dir_index {
	WP_PE_EXPORTS = 0,
	WP_PE_EXCEPTIONS = 3, /* .pdata */
	WP_PE_DEBUG = 6,
	WP_PE_DIRS = 16,
};

struct wp_pe_dir {
	uint32_t rva, size;
};

struct wp_pe_section {
	char name[32]; /* long names are cut */
	uint32_t rva, size;
	uint32_t offset, file_size; /* in the file; never beyond what is mapped of it */
	uint32_t flags;		    /* WP_PE_CODE ... */
};

/* All-zero is empty. */
struct wp_pe_image {
	uint16_t machine, characteristics;
	uint64_t base; /* the address it was linked for */
	uint32_t entry;
	uint32_t size, headers_size; /* bytes, mapped */
	struct wp_pe_dir dirs[WP_PE_DIRS];
	WP_VEC(struct wp_pe_section) sections; /* sorted, not overlapping */
	uint32_t symbols_at, n_symbols;	       /* COFF, in the file */
};

/* The bytes of a file; borrowed. */
struct wp_pe_file {
	const uint8_t *data;
	size_t size;
};

/* True for bytes that begin as one (it takes wp_pe_image_read() to know). */
bool wp_pe_image_is(const uint8_t *head, size_t n);
/*
 * Fails on bytes that are no PE file, or whose sections make no sense. Section names of more than 8
 * characters need the whole file. The caller deinits *ret.
 */
struct wp_err *wp_pe_image_read(const struct wp_pe_file *file,
				struct wp_pe_image *ret) WP_MUST_CHECK;
void wp_pe_image_deinit(struct wp_pe_image *image);

/* The section that holds the address, or NULL. */
const struct wp_pe_section *wp_pe_image_section(const struct wp_pe_image *image, uint64_t rva);
/* The bytes that the file has from an address on, and how many of them in a row; NULL: none. */
const uint8_t *wp_pe_image_bytes(const struct wp_pe_image *image, const struct wp_pe_file *file,
				 uint64_t rva, size_t *ret_n);

/* The RSDS record of the debug directory: which PDB belongs to the image. */
struct wp_pe_codeview {
	uint8_t guid[16]; /* as the bytes lie in the file */
	uint32_t age;
	char path[512]; /* as the linker wrote it: a Windows or a Unix path */
};

/* False when there is none. */
bool wp_pe_image_codeview(const struct wp_pe_image *image, const struct wp_pe_file *file,
			  struct wp_pe_codeview *ret);

#endif
