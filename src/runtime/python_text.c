/* SPDX-License-Identifier: BSD-3-Clause */
/* python_text: see python_text.h. */
#include "runtime/python_text.h"

#include "base/bytes.h"
#include "base/utf8.h"

#define ELLIPSIS "\xe2\x80\xa6"

bool wp_python_text_is_sane(const struct wp_code_text *text, bool is_bytes)
{
	uint32_t w = text->width;

	if (w != 0 && w != 1 && (is_bytes || (w != 2 && w != 4)))
		return false;
	return text->n <= (uint64_t)text->length * w && (text->bytes || !text->n);
}

static bool is_surrogate(uint32_t c)
{
	return c >= 0xd800 && c < 0xe000;
}

/* Bytes that os.fsdecode() could not decode: U+DC80 to U+DCFF. */
static bool is_escaped_byte(uint32_t c)
{
	return c >= 0xdc80 && c <= 0xdcff;
}

static bool is_unsafe(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0, 0x1f},	  {0x7f, 0x9f},	    /* control characters */
		{0x61c, 0x61c},	  {0x200e, 0x200f}, /* marks of direction */
		{0x2028, 0x202e}, {0x2066, 0x2069}, /* line ends, embeddings and isolates */
		{0xfeff, 0xfeff}, {0xfff9, 0xfffb},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static void put_python_escape(struct wp_str *out, uint32_t c)
{
	if (c < 0x100)
		wp_str_printf(out, "\\x%02x", c);
	else if (c < 0x10000)
		wp_str_printf(out, "\\u%04x", c);
	else
		wp_str_printf(out, "\\U%08x", c);
}

/* One character as UTF-8 or, undecodable, as its byte. */
static void put_raw(struct wp_str *raw, uint32_t c)
{
	char utf8[WP_UTF8_MAX];

	if (is_escaped_byte(c))
		wp_str_putc(raw, (char)(c - 0xdc00));
	else if (is_surrogate(c) || c > 0x10ffff)
		put_python_escape(raw, c);
	else
		wp_str_append(raw, utf8, wp_utf8_put(utf8, c));
}

static uint32_t character(const struct wp_code_text *text, size_t i)
{
	if (text->width == 1)
		return text->bytes[i];
	return text->width == 2 ? wp_u16_at(text->bytes + 2 * i) : wp_u32_at(text->bytes + 4 * i);
}

/* Bytes that should be UTF-8; `cut`: their last character may not be whole. */
static void put_safe(struct wp_str *out, const struct wp_str *raw, bool cut)
{
	uint32_t c;

	for (size_t i = 0, length; i < raw->len; i += length) {
		length = wp_utf8_get(raw->s + i, raw->len - i, &c);
		if (!length && cut && raw->len - i < WP_UTF8_MAX)
			return;
		if (!length)
			c = (uint8_t)raw->s[i];
		if (!length || is_unsafe(c))
			put_python_escape(out, c);
		else
			wp_str_append(out, raw->s + i, length);
		length += !length;
	}
}

void wp_python_text_put(struct wp_str *out, const struct wp_code_text *text, bool is_bytes)
{
	size_t n = text->width ? text->n / text->width : 0;
	bool cut = n < text->length;
	wp_autostr struct wp_str raw = {0};

	if (n > WP_PYTHON_TEXT_MAX) {
		n = WP_PYTHON_TEXT_MAX;
		cut = true;
	}
	if (is_bytes)
		wp_str_append(&raw, n ? (const char *)text->bytes : "", n);
	for (size_t i = 0; i < n && !is_bytes; i++)
		put_raw(&raw, character(text, i));
	put_safe(out, &raw, cut && is_bytes);
	if (cut)
		wp_str_puts(out, ELLIPSIS);
}

static void put_repr_character(struct wp_str *out, uint32_t c, char quote, bool is_bytes)
{
	static const char named[][2] = {{'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'\\', '\\'}};
	char utf8[WP_UTF8_MAX];

	for (size_t i = 0; i < WP_ARRAY_LEN(named); i++)
		if (c == (uint8_t)named[i][0]) {
			wp_str_printf(out, "\\%c", named[i][1]);
			return;
		}
	if (c == (uint8_t)quote)
		wp_str_printf(out, "\\%c", quote);
	else if (is_unsafe(c) || is_surrogate(c) || c > 0x10ffff || (is_bytes && c > 0x7e))
		put_python_escape(out, c);
	else
		wp_str_append(out, utf8, wp_utf8_put(utf8, c));
}

void wp_python_text_repr(struct wp_str *out, const struct wp_code_text *text, bool is_bytes)
{
	size_t n = text->width ? text->n / text->width : 0;
	bool single = false, twofold = false;
	char quote;

	for (size_t i = 0; i < n; i++) {
		single |= character(text, i) == '\'';
		twofold |= character(text, i) == '"';
	}
	quote = single && !twofold ? '"' : '\'';
	wp_str_printf(out, "%s%c", is_bytes ? "b" : "", quote);
	for (size_t i = 0; i < n; i++)
		put_repr_character(out, character(text, i), quote, is_bytes);
	wp_str_printf(out, "%c%s", quote, n < text->length ? "..." : "");
}
