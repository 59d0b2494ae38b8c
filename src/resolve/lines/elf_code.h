/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_code: instruction bytes and sections of an ELF or PE file, for --disassemble and -v.
 *
 * Resolve stage. Symbols are symbol readers' business; this only looks at headers and loaded bytes.
 */
#ifndef WP_ELF_CODE_H
#define WP_ELF_CODE_H

#include "base/err.h"
#include "core/addr.h"
#include "format/elf/elf_sections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_elf_code;

/*
 * Takes over the descriptor (wp_resolver_file()). Fails when there is none (-1), or the file is
 * neither a little-endian ELF file nor a PE file; the path is for messages.
 */
struct wp_err *wp_elf_code_open(int fd, const char *path, struct wp_elf_code **ret) WP_MUST_CHECK;
void wp_elf_code_close(struct wp_elf_code *code);

/* As in struct wp_machine: "x86_64", "aarch64"; "" for another machine. */
const char *wp_elf_code_arch(const struct wp_elf_code *code);
/*
 * Copies up to n bytes that are loaded at an rva into the caller's buffer and returns how many the
 * file has there.
 */
size_t wp_elf_code_read(const struct wp_elf_code *code, struct wp_rva rva, void *ret, size_t n);

/*
 * What the pointer at an rva is when the file is loaded, as an rva; false: nothing is loaded there.
 */
bool wp_elf_code_pointer(struct wp_elf_code *code, struct wp_rva rva, uint64_t *ret);

struct wp_elf_section {
	const char *name; /* valid until the close */
	struct wp_rva start;
	uint64_t size;
};

/* The section number `index` (from 0) that is loaded into memory; false behind the last. */
bool wp_elf_code_section(const struct wp_elf_code *code, size_t index, struct wp_elf_section *ret);

#endif
