/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbol: what an address turned out to be, or why nothing is known about it.
 *
 * The resolver keeps one set for a run; samples are counted by symbol id, and names are looked at
 * only when a report is made. "Unknown" is a symbol too, one per module and reason.
 */
#ifndef WP_SYMBOL_H
#define WP_SYMBOL_H

#include "base/vec.h"
#include "core/addr.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_NO_MODULE UINT32_MAX

enum wp_symbol_kind {
	WP_SYMBOL_NATIVE,
	WP_SYMBOL_KERNEL,
	WP_SYMBOL_JIT,
	WP_SYMBOL_PYTHON,
	WP_SYMBOL_INLINE, /* a function that the compiler put into the code of another one */
};

/* Why a symbol has no name. */
enum wp_symbol_reason {
	WP_SYMBOL_KNOWN,
	WP_SYMBOL_NO_MODULE,	 /* no file or JIT code is mapped at the address */
	WP_SYMBOL_STRIPPED,	 /* the module has no symbol that covers the address */
	WP_SYMBOL_UNREADABLE,	 /* the module's file is gone, replaced, damaged or not permitted */
	WP_SYMBOL_KERNEL_HIDDEN, /* kernel addresses without kallsyms (kptr_restrict, or not asked
				    for) */
	WP_SYMBOL_REASONS
};

struct wp_symbol {
	const char *name; /* demangled without parameters; NULL when unknown */
	const char *raw;  /* as in the symbol table; NULL when unknown */
	enum wp_symbol_kind kind;
	enum wp_symbol_reason reason;
	uint32_t module; /* index in modules, or WP_NO_MODULE */
	uint32_t line;	 /* PYTHON: the first one of the function; 0: not known */
	struct wp_rva start;
	uint64_t size;
};

/* A file that code is in: of PYTHON symbols the source file, which is mapped nowhere. */
struct wp_module {
	const char *name; /* base name, as behind "name:" in tables; "[kernel]", "[vdso]" */
	const char *path;
	struct wp_va base; /* where it was first seen mapped: run-time address of its rva 0 */
	bool lacks_lines;  /* nothing says where its lines are, nor what was inlined */
};

/* Ids are indexes. Strings belong to the resolver. */
struct wp_symbol_set {
	WP_VEC(struct wp_symbol) symbols;
	WP_VEC(struct wp_module) modules;
};

#endif
