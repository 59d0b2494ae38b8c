/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_image: what an ELF file says of itself: segments, code ranges, build-id, where its debug file
 * is.
 *
 * Bytes are read by libelf, from a descriptor or from memory; nothing it returns is trusted.
 * Source: System V ABI; the GNU notes and sections are in the binutils and gdb manuals.
 */
#ifndef WP_ELF_IMAGE_H
#define WP_ELF_IMAGE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/vec.h"
#include "core/addr.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#define WP_ELF_BUILD_ID_MAX 64

struct wp_elf_segment {
	struct wp_off offset;
	struct wp_rva start;
	uint64_t file_size, mem_size;
	bool exec;
	bool packed; /* not mapped by pages: its bytes alone count */
};

struct wp_elf_range {
	uint64_t start, end;
};

/* All-zero is empty. */
struct wp_elf_image {
	uint16_t machine;			/* EM_... */
	WP_VEC(struct wp_elf_segment) segments; /* PT_LOAD, in file order */
	WP_VEC(struct wp_elf_range) code;	/* executable sections (or segments), sorted */
	uint64_t text;				/* address of .text, 0 if none */
	bool has_symtab, has_lines;
	bool lacks_code; /* a debug file: its segments keep their addresses, not their places */
	uint8_t build_id[WP_ELF_BUILD_ID_MAX];
	uint8_t build_id_len;
	char debuglink[256]; /* base name of the separate debug file, or "" */
	uint32_t debuglink_crc;
};

/*
 * libelf's handle for an open file (which is read piecemeal, never mapped: a file that shrinks must
 * not kill us; a file that says it has far more than it has is not read) or for bytes in memory,
 * which must outlive it. NULL on failure; elf_end() frees.
 */
Elf *wp_elf_open(int fd);
Elf *wp_elf_open_memory(void *data, size_t size);

/* Fails on bytes that are no ELF file of this byte order. The caller deinits *ret. */
struct wp_err *wp_elf_image_read(Elf *elf, struct wp_elf_image *ret) WP_MUST_CHECK;
void wp_elf_image_deinit(struct wp_elf_image *image);

/* Takes the build-id of some notes, unless the image has one. */
void wp_elf_image_notes(struct wp_elf_image *image, struct wp_bytes notes);

/*
 * The linked address of a file position, by the segment that maps it, executable ones first (the
 * page where two segments meet is mapped twice). False when no segment does, or the file is a debug
 * file, which cannot tell.
 */
bool wp_elf_image_rva(const struct wp_elf_image *image, struct wp_off off, struct wp_rva *ret);
/* The linked address of the first page of code of a file with one executable segment. */
bool wp_elf_image_code_page(const struct wp_elf_image *image, struct wp_rva *ret);
/* The linked address of the first loaded page. */
struct wp_rva wp_elf_image_base(const struct wp_elf_image *image);
/* The code range that holds the address, or NULL. */
const struct wp_elf_range *wp_elf_image_code(const struct wp_elf_image *image, uint64_t addr);

#endif
