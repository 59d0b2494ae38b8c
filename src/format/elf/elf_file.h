/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_file: a file to be read as ELF: one that is, or a PE file in its ELF form (pe_view.h).
 *
 * Format stage. Of an ELF file, libelf reads what it needs piece by piece; a PE file is read as a
 * whole and does not stay in memory, but for its ELF form.
 */
#ifndef WP_ELF_FILE_H
#define WP_ELF_FILE_H

#include "format/elf/elf_image.h"
#include "format/pe/pe_image.h"

/* All-zero is none. */
struct wp_elf_file {
	Elf *elf;   /* NULL: neither of the two */
	void *view; /* a PE file in its ELF form; else NULL */
};

/* With the DWARF sections of a PE file if `debug`. The descriptor or the bytes outlive it. */
struct wp_elf_file wp_elf_file_open(int fd, bool debug);
struct wp_elf_file wp_elf_file_of_memory(void *data, size_t size, bool debug);
void wp_elf_file_close(struct wp_elf_file *file);

/* The bytes of a PE file of at most 1 GiB; *ret_owned is to be freed. False: it is none. */
bool wp_elf_file_read_pe(int fd, struct wp_pe_file *ret, void **ret_owned);

#endif
