/* SPDX-License-Identifier: BSD-3-Clause */
/* json_text: see json_text.h. */
#include "view/json_text.h"

#include "base/utf8.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"
#define DIGITS_MAX  20 /* of a 64-bit number */

static void put_json_escape(struct wp_writer *out, uint32_t c)
{
	switch (c) {
	case '"':
	case '\\': wp_writer_printf(out, "\\%c", (int)c); break;
	case '\n': wp_writer_puts(out, "\\n"); break;
	case '\t': wp_writer_puts(out, "\\t"); break;
	default: wp_writer_printf(out, "\\u%04x", c);
	}
}

/* What a terminal obeys is escaped, too, though JSON allows it (ECMA-48, C1). */
static bool is_plain_char(uint32_t c)
{
	return c >= 0x20 && c != '"' && c != '\\' && (c < 0x7f || c >= 0xa0);
}

void wp_json_chars(struct wp_writer *out, const char *text, char space)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t character;

	while (*s) {
		size_t length = wp_utf8_get(s, strnlen((const char *)s, WP_UTF8_MAX), &character);

		if (!length)
			wp_writer_puts(out, REPLACEMENT);
		else if (!is_plain_char(character))
			put_json_escape(out, character);
		else if (*s == ' ')
			wp_writer_put(out, &space, 1);
		else
			wp_writer_put(out, s, length);
		s += length ? length : 1;
	}
}

void wp_json_string(struct wp_writer *out, const char *text)
{
	wp_writer_put(out, "\"", 1);
	wp_json_chars(out, text, ' ');
	wp_writer_put(out, "\"", 1);
}

/* The digits of a number, `least` at least, at the end of buf; returns where they begin. */
static size_t to_digits(char buf[DIGITS_MAX], uint64_t number, unsigned int least)
{
	size_t at = DIGITS_MAX;

	while (number || DIGITS_MAX - at < least) {
		buf[--at] = (char)('0' + number % 10);
		number /= 10;
	}
	return at;
}

void wp_json_u64(struct wp_writer *out, uint64_t number)
{
	char buf[DIGITS_MAX];
	size_t at = to_digits(buf, number, 1);

	wp_writer_put(out, buf + at, DIGITS_MAX - at);
}

void wp_json_ns(struct wp_writer *out, uint64_t ns, unsigned int digits)
{
	char buf[DIGITS_MAX];
	size_t at = to_digits(buf, ns, digits + 1), end = DIGITS_MAX;

	wp_writer_put(out, buf + at, DIGITS_MAX - digits - at);
	while (end > DIGITS_MAX - digits && buf[end - 1] == '0')
		end--;
	if (end == DIGITS_MAX - digits)
		return;
	wp_writer_put(out, ".", 1);
	wp_writer_put(out, buf + DIGITS_MAX - digits, end - (DIGITS_MAX - digits));
}

void wp_json_comma(struct wp_writer *out, bool *any)
{
	if (*any)
		wp_writer_put(out, ",", 1);
	*any = true;
}
