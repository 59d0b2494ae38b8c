/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_symbols: the running kernel's functions and those of its modules, from /proc/kallsyms.
 *
 * The file has no sizes: a function ends where the next symbol of any kind begins.
 */
#ifndef WP_KERNEL_SYMBOLS_H
#define WP_KERNEL_SYMBOLS_H

#include "base/err.h"
#include "base/strpool.h"
#include "core/symtab.h"

/* All-zero is empty. */
struct wp_kernel_symbols {
	struct wp_symtab table;	   /* a piece's tag is the id of its module's name */
	struct wp_strpool modules; /* "[kernel]", "[ext4]" ... */
	uint64_t text;		   /* where the kernel's own _text is; 0: not known */
	bool hidden;		   /* every address was 0 (kptr_restrict) */
};

/* Reads the bytes of a kallsyms file. The caller deinits *ret. */
void wp_kernel_symbols_parse(const char *text, size_t size, struct wp_kernel_symbols *ret);
/* Reads the file at the path; what cannot be read counts as hidden. */
void wp_kernel_symbols_load(const char *path, struct wp_kernel_symbols *ret);
void wp_kernel_symbols_deinit(struct wp_kernel_symbols *symbols);

#endif
