/* SPDX-License-Identifier: BSD-3-Clause */
/* textline: see textline.h. */
#include "format/textline.h"

#include <string.h>

bool wp_textline_next(struct wp_bytes *b, struct wp_textline *ret)
{
	size_t left = wp_bytes_left(b);

	if (!left)
		return false;
	const char *s = (const char *)b->data + b->pos;
	const char *end = memchr(s, '\n', left);
	*ret = (struct wp_textline){s, end ? (size_t)(end - s) : left, end != NULL};
	wp_bytes_skip(b, ret->len + ret->complete);
	return true;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool wp_textline_hex(struct wp_textline *line, uint64_t *ret)
{
	size_t i = 0, first;
	uint64_t value = 0;

	if (line->len > 2 && line->s[0] == '0' && (line->s[1] | 0x20) == 'x')
		i = 2;
	first = i;
	while (i < line->len && digit(line->s[i]) >= 0) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)digit(line->s[i++]);
	}
	if (i == first)
		return false;
	while (i < line->len && (line->s[i] == ' ' || line->s[i] == '\t'))
		i++;
	line->s += i;
	line->len -= i;
	*ret = value;
	return true;
}
