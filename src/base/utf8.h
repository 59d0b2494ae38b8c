/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8: characters as UTF-8 bytes and back (RFC 3629: shortest form, no surrogates). */
#ifndef WP_UTF8_H
#define WP_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define WP_UTF8_MAX 4 /* bytes of a character */

/* How many bytes the character at the beginning of n bytes has, and which it is; 0: it is none. */
size_t wp_utf8_get(const void *bytes, size_t n, uint32_t *ret);
/* Writes a character, at most U+10FFFF and no surrogate; returns its number of bytes. */
size_t wp_utf8_put(char out[WP_UTF8_MAX], uint32_t character);
/*
 * How many columns of a terminal a character takes: East Asian wide ones 2 (UAX 11), marks and what
 * joins the character before it 0.
 */
size_t wp_utf8_columns(uint32_t character);
/* Screen columns of n bytes. */
size_t wp_utf8_width(const char *s, size_t n);
/*
 * How many bytes at most the first columns of a string have, with the marks on its last character;
 * a character of two columns that has room for one is left out.
 */
size_t wp_utf8_bytes(const char *s, size_t columns);
/* At most so many bytes besides, never half a character: marks take no column. */
size_t wp_utf8_bytes_within(const char *s, size_t columns, size_t bytes);
/*
 * How many bytes the control character has that a string begins with; 0: it is none. Names of
 * strangers end up on terminals, and those obey U+0080 to U+009F too (ECMA-48, 5.3).
 */
size_t wp_utf8_control(const char *s);
/* Makes question marks of all of them but those in `except`. */
void wp_utf8_hide_controls(char *text, const char *except);

#endif
