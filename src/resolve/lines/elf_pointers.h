/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_pointers: what the pointers in an ELF file are once it is loaded, as far as its relocations
 * make them addresses of the file itself.
 */
#ifndef WP_ELF_POINTERS_H
#define WP_ELF_POINTERS_H

#include "base/vec.h"
#include "core/addr.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

/* All-zero is empty: not read yet. */
struct wp_elf_pointers {
	bool loaded;
	WP_VEC(struct wp_elf_pointer {
		uint64_t at;
		uint64_t to;
	}) pointers; /* by place */
};

/* Reads the relative relocations (R_X86_64_RELATIVE, R_AARCH64_RELATIVE) of loaded sections. */
void wp_elf_pointers_load(struct wp_elf_pointers *pointers, Elf *elf);
/* False: no relocation is of that place, and what is in the file there counts. */
bool wp_elf_pointers_get(const struct wp_elf_pointers *pointers, struct wp_rva at, uint64_t *ret);
void wp_elf_pointers_deinit(struct wp_elf_pointers *pointers);

#endif
