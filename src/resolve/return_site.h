/*
 * return_site: whether an address can be one that a call returns to: does x86's code call in front
 * of it?
 *
 * Resolve stage. For words of a stack that may be anything.
 */
#ifndef WP_RETURN_SITE_H
#define WP_RETURN_SITE_H

#include "resolve/image.h"

/* The address is a linked one. True for code whose bytes cannot be had. */
bool wp_return_site(const struct wp_image *image, uint64_t addr);
/* True if a call ends behind the last of n bytes. */
bool wp_return_site_of(const uint8_t *bytes, size_t n);

#endif
