/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * small_elf: what the tree asks of libelf, where there is none: headers, sections, symbols and
 * relocations of a little-endian ELF file of 32 or 64 bits.
 *
 * Below format/elf, which calls it by libelf's names (include/gelf.h). In: the bytes of a file, of
 * strangers; each number is held against their size, so that nothing is read beyond it. What libelf
 * answers to damaged files is answered here as well: tests/live/test_small_elf.sh compares the two.
 * A big-endian file has a header and nothing else.
 */
#ifndef WP_SMALL_ELF_H
#define WP_SMALL_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_small_elf;
struct wp_small_elf_section;

enum wp_small_elf_kind {
	WP_SMALL_ELF_BYTES,
	WP_SMALL_ELF_SYMBOLS,
	WP_SMALL_ELF_RELA,
	WP_SMALL_ELF_DYNAMIC,
};

/* A section's content; as long as the file's. */
struct wp_small_elf_data {
	void *d_buf; /* NULL: it has none in the file */
	size_t d_size;
	enum wp_small_elf_kind kind;
	bool is_64;
};

/* NULL: no ELF file. One that is cut before the end of its table of sections has none. Borrows the
 * bytes. */
struct wp_small_elf *wp_small_elf_new(const void *data, size_t size);
void wp_small_elf_free(struct wp_small_elf *elf);

const void *wp_small_elf_bytes(const struct wp_small_elf *elf, size_t *ret_size);
/* ELFCLASS32 or ELFCLASS64. */
int wp_small_elf_class(const struct wp_small_elf *elf);
Elf64_Ehdr *wp_small_elf_header(const struct wp_small_elf *elf, Elf64_Ehdr *ret);
/* 0, or -1: they are not in the file. Fewer than the header says where the file ends; none of these
 * can be read then. */
int wp_small_elf_segments(const struct wp_small_elf *elf, size_t *ret);
/* Functions that fill in *ret return it, or NULL when there is no such thing. */
Elf64_Phdr *wp_small_elf_segment(const struct wp_small_elf *elf, int index, Elf64_Phdr *ret);
/* The section with the names of sections. 0, or -1. */
int wp_small_elf_names(const struct wp_small_elf *elf, size_t *ret);
struct wp_small_elf_section *wp_small_elf_section(struct wp_small_elf *elf, size_t index);
/* NULL: the first one behind number 0, which is none. */
struct wp_small_elf_section *wp_small_elf_next(struct wp_small_elf *elf,
					       struct wp_small_elf_section *section);
Elf64_Shdr *wp_small_elf_section_header(const struct wp_small_elf_section *section,
					Elf64_Shdr *ret);
/* NULL: not within the file, or not of whole entries. */
struct wp_small_elf_data *wp_small_elf_data(struct wp_small_elf_section *section);
/* As it is in the file: compressed, and without entries. */
struct wp_small_elf_data *wp_small_elf_raw(struct wp_small_elf_section *section);
/* A string of a table of strings, which ends within it. */
char *wp_small_elf_string(struct wp_small_elf *elf, size_t section, size_t offset);

/* How many bytes an entry takes in the file. */
size_t wp_small_elf_entry(const struct wp_small_elf *elf, enum wp_small_elf_kind kind);
Elf64_Sym *wp_small_elf_symbol(const struct wp_small_elf_data *data, int index, Elf64_Sym *ret);
Elf64_Rela *wp_small_elf_rela(const struct wp_small_elf_data *data, int index, Elf64_Rela *ret);
Elf64_Dyn *wp_small_elf_dynamic(const struct wp_small_elf_data *data, int index, Elf64_Dyn *ret);

/* The header of a compressed section (SHF_COMPRESSED). */
Elf64_Chdr *wp_small_elf_compression(struct wp_small_elf_section *section, Elf64_Chdr *ret);
/* From then on its data and header are those of the inflated one. 1, or -1: damaged, or too large.
 */
int wp_small_elf_inflate(struct wp_small_elf_section *section);
/* Inflates the older form, "ZLIB" and a size (.zdebug_...). */
int wp_small_elf_inflate_gnu(struct wp_small_elf_section *section);

#endif
