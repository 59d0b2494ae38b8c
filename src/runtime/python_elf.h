/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_elf: what the reader of a CPython build asks of an ELF or PE file: bytes at a linked
 * address, and the places of a handful of symbols.
 *
 * Runtime stage, private to python_*.c. Nothing in the file is trusted: reads are bounded by the
 * file's part of a segment, symbols by their tables. Local symbols (.symtab) count as well as
 * exported ones (.dynsym); undefined ones do not.
 */
#ifndef WP_PYTHON_ELF_H
#define WP_PYTHON_ELF_H

#include "format/elf/elf_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_python_elf {
	int fd; /* borrowed */
	struct wp_elf_file file;
	Elf *elf; /* of the file */
	struct wp_elf_image image;
};

/* False when the descriptor is no little-endian ELF or PE file of x86-64 or AArch64. */
bool wp_python_elf_open(int fd, struct wp_python_elf *ret);
void wp_python_elf_close(struct wp_python_elf *elf);

/* Copies n bytes that the file has for a linked address; false when it has not all of them. */
bool wp_python_elf_read(const struct wp_python_elf *elf, uint64_t addr, void *ret, size_t n);
/* As many of n bytes as there are in one segment. */
size_t wp_python_elf_read_some(const struct wp_python_elf *elf, uint64_t addr, void *ret, size_t n);
bool wp_python_elf_u64(const struct wp_python_elf *elf, uint64_t addr, uint64_t *ret);
/* The NUL-terminated string at an address; false when it has cap bytes or more, or is not there. */
bool wp_python_elf_str(const struct wp_python_elf *elf, uint64_t addr, char *ret, size_t cap);

struct wp_python_symbol {
	const char *name;    /* asked for */
	uint64_t addr, size; /* found; addr 0: not */
};

/* Looks each of n names up, exported ones first. */
void wp_python_elf_find(const struct wp_python_elf *elf, struct wp_python_symbol *symbols,
			size_t n);
/* Calls take for every defined symbol whose name begins with a prefix. */
void wp_python_elf_each(const struct wp_python_elf *elf, const char *prefix,
			void (*take)(void *arg, const char *name, uint64_t addr, uint64_t size),
			void *arg);

#endif
