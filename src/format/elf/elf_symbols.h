/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_symbols: the functions and objects that an ELF file's symbol tables and its PLT name.
 *
 * Functions and indirect functions count; untyped labels in code are a last resort; mapping symbols
 * ("$x") and assembler marks do not count at all.
 */
#ifndef WP_ELF_SYMBOLS_H
#define WP_ELF_SYMBOLS_H

#include "core/symtab.h"
#include "format/elf/elf_image.h"

/*
 * Adds the symbols of .symtab and .dynsym, moved by `shift` (a debug file may have been linked
 * elsewhere). `image` is the mapped file's: its code ranges bound every symbol. Names are borrowed
 * from elf until the table is built.
 */
void wp_elf_symbols_add(Elf *elf, const struct wp_elf_image *image, uint64_t shift,
			struct wp_symtab_builder *builder);
/* Adds the objects (variables) in the same way; the segments bound them. */
void wp_elf_symbols_add_objects(Elf *elf, const struct wp_elf_image *image, uint64_t shift,
				struct wp_symtab_builder *builder);
/* What those tables and their names have in the file. */
uint64_t wp_elf_symbols_bytes(Elf *elf);
/*
 * Adds "NAME@plt" for the PLT entries, found by decoding the jump through their GOT slot (x86-64
 * and AArch64). After the symbols: entries of indirect functions take their names.
 */
void wp_elf_plt_add(Elf *elf, const struct wp_elf_image *image, struct wp_symtab_builder *builder);
/* The address of the symbol of that name, of code or data; false: the file has none,
 * or several (static ones). */
bool wp_elf_symbols_value(Elf *elf, const char *name, uint64_t *ret);

#endif
