/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_text: see xml_text.h. */
#include "view/xml_text.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* The character at s, which has *ret_bytes bytes; 0: none that XML may have, or that a terminal
 * obeys. */
static uint32_t character_at(const char *s, size_t *ret_bytes)
{
	uint32_t c = 0;
	size_t n = wp_utf8_get(s, strnlen(s, WP_UTF8_MAX), &c);
	bool allowed = c == '\t' || c == '\n' ||
		       (c >= ' ' && c != 0xfffe && c != 0xffff && (c < 0x7f || c >= 0xa0));

	*ret_bytes = n ? n : 1;
	return n && allowed ? c : 0;
}

size_t wp_xml_columns(const char *text)
{
	size_t columns = 0, n;

	for (; *text; text += n)
		columns += wp_utf8_columns(character_at(text, &n));
	return columns;
}

static void put_char(struct wp_writer *out, uint32_t c, const char *bytes, size_t n)
{
	switch (c) {
	case 0: wp_writer_puts(out, REPLACEMENT); break;
	case '&': wp_writer_puts(out, "&amp;"); break;
	case '<': wp_writer_puts(out, "&lt;"); break;
	case '>': wp_writer_puts(out, "&gt;"); break;
	case '"': wp_writer_puts(out, "&quot;"); break;
	default: wp_writer_put(out, bytes, n);
	}
}

void wp_xml_text(struct wp_writer *out, const char *text, size_t columns)
{
	size_t n;

	for (; *text; text += n) {
		uint32_t c = character_at(text, &n);
		size_t width = wp_utf8_columns(c);

		if (width > columns)
			return;
		columns -= width;
		put_char(out, c, text, n);
	}
}
