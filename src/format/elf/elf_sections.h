/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_sections: the sections of an ELF file and their bytes, as libelf has them.
 *
 * Format stage. What cannot be read, is compressed, or is larger than any real section is not
 * there. Source: System V ABI.
 */
#ifndef WP_ELF_SECTIONS_H
#define WP_ELF_SECTIONS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

/* The sections whose header and name can be read, in file order; {.elf = elf} before the first. */
struct wp_elf_sections {
	Elf *elf;
	Elf_Scn *scn;
	size_t names;
	GElf_Shdr header;
	const char *name; /* belongs to elf */
};
bool wp_elf_sections_next(struct wp_elf_sections *at);
/* The bytes of a section by name, or NULL (also when the file has none of it). They belong to elf.
 */
const Elf_Data *wp_elf_section(Elf *elf, const char *name, GElf_Shdr *ret_header);
/* The bytes of a section at hand, likewise. */
const Elf_Data *wp_elf_section_data(Elf_Scn *scn, const GElf_Shdr *header);
/*
 * A string table (by its section's index) that ends with a NUL, so that every offset in it is a
 * string; or NULL.
 */
const Elf_Data *wp_elf_strings(Elf *elf, size_t index);

#endif
