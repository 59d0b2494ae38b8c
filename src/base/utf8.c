/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8: see utf8.h. */
#include "base/utf8.h"

#include "base/char_widths.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The number of bytes that a first byte announces, and its share of the character; 0: none. */
static size_t announced(uint8_t first, uint32_t *ret)
{
	if (first < 0x80)
		return *ret = first, 1;
	if (first >= 0xc2 && first < 0xe0)
		return *ret = first & 0x1f, 2;
	if (first >= 0xe0 && first < 0xf0)
		return *ret = first & 0xf, 3;
	if (first >= 0xf0 && first < 0xf5)
		return *ret = first & 7, 4;
	return 0;
}

size_t wp_utf8_get(const void *bytes, size_t n, uint32_t *ret)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const uint8_t *s = bytes;
	uint32_t c = 0;
	size_t length = n ? announced(s[0], &c) : 0;

	if (!length || length > n)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ret = c;
	return length;
}

size_t wp_utf8_put(char out[WP_UTF8_MAX], uint32_t character)
{
	size_t n = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
	static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = n; i-- > 1; character >>= 6)
		out[i] = (char)(0x80 | (character & 0x3f));
	out[0] = (char)(lead[n] | character);
	return n;
}

size_t wp_utf8_control(const char *s)
{
	const unsigned char *c = (const unsigned char *)s;

	if ((*c && *c < 0x20) || *c == 0x7f)
		return 1;
	return *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
}

void wp_utf8_hide_controls(char *text, const char *except)
{
	for (size_t n; *text; text += n ? n : 1) {
		n = wp_utf8_control(text);
		if (n && !strchr(except, *text))
			memset(text, '?', n);
	}
}

static int compare_range(const void *key, const void *element)
{
	const uint32_t *c = key;
	const struct wp_char_range *range = element;

	return *c < range->first ? -1 : *c > range->last;
}

static bool is_in_char_ranges(uint32_t c, const struct wp_char_range *ranges, size_t n)
{
	return bsearch(&c, ranges, n, sizeof(*ranges), compare_range);
}

size_t wp_utf8_columns(uint32_t character)
{
	if (character < wp_char_no_columns[0].first)
		return 1;
	if (is_in_char_ranges(character, wp_char_two_columns, wp_char_two_columns_n))
		return 2;
	return is_in_char_ranges(character, wp_char_no_columns, wp_char_no_columns_n) ? 0 : 1;
}

/* What a terminal cannot read as a character is shown as one, byte by byte. */
static size_t measure_first(const char *s, size_t n, size_t *ret_bytes)
{
	uint32_t c = 0;
	size_t bytes = wp_utf8_get(s, n, &c);

	*ret_bytes = bytes ? bytes : 1;
	return bytes ? wp_utf8_columns(c) : 1;
}

size_t wp_utf8_width(const char *s, size_t n)
{
	size_t width = 0, bytes;

	for (size_t i = 0; i < n; i += bytes)
		width += measure_first(s + i, n - i, &bytes);
	return width;
}

size_t wp_utf8_bytes(const char *s, size_t columns)
{
	size_t n = 0, bytes;

	while (s[n]) {
		size_t width = measure_first(s + n, strnlen(s + n, WP_UTF8_MAX), &bytes);

		if (width > columns)
			break;
		columns -= width;
		n += bytes;
	}
	return n;
}

size_t wp_utf8_bytes_within(const char *s, size_t columns, size_t bytes)
{
	size_t at = wp_utf8_bytes(s, columns);

	if (at > bytes)
		for (at = bytes; at && ((unsigned char)s[at] & 0xc0) == 0x80; at--)
			;
	return at;
}
