/* SPDX-License-Identifier: BSD-3-Clause */
/* small_elf_parts: what a small_elf and its sections consist of, for the files small_elf*.c. */
#ifndef WP_SMALL_ELF_PARTS_H
#define WP_SMALL_ELF_PARTS_H

#include "windows/small_elf.h"

struct wp_small_elf_section {
	struct wp_small_elf *elf;
	Elf64_Shdr header;
	struct wp_small_elf_data data, raw; /* filled in when they are asked for */
	void *inflated;			    /* takes the place of what is in the file */
};

struct wp_small_elf {
	const uint8_t *bytes;
	void *mapped; /* the bytes, where they are ours to unmap */
	size_t size;
	bool is_64;
	Elf64_Ehdr header;
	Elf64_Shdr zero; /* of section 0, if there is one */
	struct wp_small_elf_section *sections;
	size_t n_sections;
};

/* NULL unless the bytes are within the file. */
void *wp_small_elf_at(const struct wp_small_elf *elf, uint64_t offset, uint64_t size);

#endif
