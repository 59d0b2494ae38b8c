/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_line: a place in source text, and a function that was inlined there.
 */
#ifndef WP_RESOLVER_LINE_H
#define WP_RESOLVER_LINE_H

#include <stdint.h>

/* Where an address is, by its module's line table. */
struct wp_resolver_line {
	const char *file; /* belongs to the resolver */
	uint32_t line;	  /* 0: not known */
};

/* With the innermost function that was inlined there. */
#define WP_NOT_INLINED UINT32_MAX
struct wp_resolver_place {
	struct wp_resolver_line line; /* file NULL: not known */
	uint32_t inlined;	      /* its symbol, or WP_NOT_INLINED */
};

#define WP_RESOLVER_INLINES 32
struct wp_resolver_inline {
	uint32_t symbol;
	struct wp_resolver_line call; /* where it was called; file NULL: not known */
	uint32_t first_line;	      /* of the function; 0: not known */
};

#endif
