/* SPDX-License-Identifier: BSD-3-Clause */
/* textline: lines and hexadecimal numbers of text formats that come as bytes. */
#ifndef WP_TEXTLINE_H
#define WP_TEXTLINE_H

#include "base/bytes.h"

struct wp_textline {
	const char *s; /* borrowed, not NUL-terminated; without the newline */
	size_t len;
	bool complete; /* a newline follows */
};

/* False at the end of the bytes. */
bool wp_textline_next(struct wp_bytes *b, struct wp_textline *ret);
/*
 * Takes a hexadecimal number (with or without 0x, at most 64 bits) and the blanks behind it off the
 * line's front. False when there is none.
 */
bool wp_textline_hex(struct wp_textline *line, uint64_t *ret);

#endif
