/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * return_site: x86 code around an address of a stack: is there a call in front of it, and of whom;
 * does a function end behind it?
 *
 * Resolve stage. For words that may be anything, and for code that nothing describes. Addresses are
 * linked ones of the image.
 */
#ifndef WP_RETURN_SITE_H
#define WP_RETURN_SITE_H

#include "resolve/symbols/image.h"

enum wp_return_site {
	WP_RETURN_NONE,	    /* no call ends there */
	WP_RETURN_INDIRECT, /* of what a register or memory says */
	WP_RETURN_DIRECT,   /* of an address */
	WP_RETURN_UNKNOWN,  /* the code cannot be had */
};

/* *ret_target: of a direct call. */
enum wp_return_site wp_return_site(struct wp_image *image, uint64_t addr, uint64_t *ret_target);
/* Judges by the bytes in front of an address, as many as there are up to 7. */
enum wp_return_site wp_return_site_of(const uint8_t *bytes, size_t n, uint64_t addr,
				      uint64_t *ret_target);
/*
 * How to leave a function whose end is executed: what the instructions up to its return will do.
 * False if they do something else.
 */
bool wp_return_soon(struct wp_image *image, uint64_t addr, struct wp_unwind_rule *ret);
bool wp_return_soon_of(const uint8_t *code, size_t n, struct wp_unwind_rule *ret);

#endif
