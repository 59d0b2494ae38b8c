/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * image_code: the machine code of an image, from its file.
 *
 * Resolve stage. For those who follow a stack by what the code around its addresses does.
 */
#ifndef WP_IMAGE_CODE_H
#define WP_IMAGE_CODE_H

#include "base/vec.h"
#include "format/elf/elf_image.h"

/* All-zero is empty: not read yet. */
struct wp_image_code {
	bool loaded;
	WP_VEC(struct wp_image_segment {
		uint64_t start;
		size_t n;
		uint8_t *bytes;
	}) segments;
};

/* Reads the code of an open file; of one that cannot be had (fd -1) there is none. */
void wp_image_code_load(struct wp_image_code *code, int fd, const struct wp_elf_image *elf);
/* Copies up to n bytes from a linked address on; returns how many there are in its segment. */
size_t wp_image_code_copy(const struct wp_image_code *code, uint64_t addr, uint8_t *ret, size_t n);
void wp_image_code_deinit(struct wp_image_code *code);

#endif
