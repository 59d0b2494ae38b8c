/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inlines: functions that the compiler put into the code of other ones, by address.
 *
 * Resolve stage; libdw reads the DWARF that a module's line table came from. A unit's functions are
 * indexed when an address first falls into it, and what a function's code is made of when an
 * address first falls into that.
 */
#ifndef WP_INLINES_H
#define WP_INLINES_H

#include "resolve/lines/srclines.h"

#include <stddef.h>

#define WP_INLINES_MAX 32 /* of one address; more deeply nested ones are left out */

struct wp_inlines;

struct wp_inline {
	uint64_t key;	  /* the same for the same function of a module */
	const char *name; /* as the linker would know it, if DWARF says; belongs to the inlines */
	/* Where it was called; NULL: not known (or not asked for); belongs to the lines. */
	const char *call_file;
	uint32_t call_line, first_line; /* of the call, and of the function; 0: not known */
};

/* The lines are borrowed and outlive it. */
struct wp_inlines *wp_inlines_new(struct wp_srclines *lines);
/*
 * The functions inlined at an address, outermost first; returns how many. Where they were called is
 * told if `calls`: the first question of a unit reads its line table.
 */
size_t wp_inlines_find(struct wp_inlines *inlines, struct wp_rva rva, bool calls,
		       struct wp_inline ret[WP_INLINES_MAX]);
/* The first line of the function whose code covers the address; 0: not known. */
uint32_t wp_inlines_function_line(struct wp_inlines *inlines, struct wp_rva rva);
void wp_inlines_free(struct wp_inlines *inlines);

#endif
