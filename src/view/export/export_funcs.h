/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_funcs: the functions of a profile's frames, for exports whose consumers add up by
 * function.
 *
 * A profile has a frame for each line that called or ran; here the frames of one function are one.
 * Code without a symbol is not one big "unknown": each place of it is a function of its own, named
 * "libfoo.so+0x1234", which is what addr2line and objdump can look up.
 */
#ifndef WP_EXPORT_FUNCS_H
#define WP_EXPORT_FUNCS_H

#include "base/arena.h"
#include "core/profile.h"

struct wp_export_func {
	const char *name; /* never NULL; may be in the arena */
	enum wp_symbol_kind kind;
	uint32_t module;  /* index of the profile's modules, or WP_NO_MODULE */
	const char *file; /* source file; NULL: not known */
	uint32_t line;	  /* its first one; 0: not known */
	struct wp_rva start;
	uint64_t size; /* 0: start is not known, or the function is inlined */
};

struct wp_export_funcs {
	struct wp_arena arena;
	WP_VEC(struct wp_export_func) funcs; /* in the order in which frames name them */
	uint32_t *of_frame;		     /* for each frame of the profile: index of funcs */
	WP_VEC(uint32_t) libs; /* modules that have native code: all but Python's source files */
	uint32_t *lib_of;      /* for each module: index of libs, or WP_NO_MODULE */
};

void wp_export_funcs_init(struct wp_export_funcs *funcs, const struct wp_profile *profile);
void wp_export_funcs_deinit(struct wp_export_funcs *funcs);

/* What kind of code it is, a word for people: "python", "native", "inlined", "kernel", "jit". */
const char *wp_export_kind_name(enum wp_symbol_kind kind);

#endif
