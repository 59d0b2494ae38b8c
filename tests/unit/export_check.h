/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_check: what the tests of exports ask of bytes: is it JSON (RFC 8259, valid UTF-8), and
 * what fields do the gzipped messages of a pprof profile have. Written apart from the code that
 * writes them.
 */
#ifndef WP_EXPORT_CHECK_H
#define WP_EXPORT_CHECK_H

#include "base/bytes.h"
#include "base/str.h"
#include "base/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#define JSON_DEPTH 32

static inline char json_look(struct wp_bytes *b)
{
	while (b->pos < b->size && strchr(" \n\t\r", b->data[b->pos]) && b->data[b->pos])
		b->pos++;
	return b->pos < b->size ? (char)b->data[b->pos] : '\0';
}

static inline bool json_word(struct wp_bytes *b, const char *word)
{
	const char *at = wp_bytes_take(b, strlen(word));

	return at && memcmp(at, word, strlen(word)) == 0;
}

static inline bool json_escape(struct wp_bytes *b)
{
	uint8_t c = wp_bytes_u8(b);

	if (c != 'u')
		return c && strchr("\"\\/bfnrt", c);
	for (int i = 0; i < 4; i++)
		if (!isxdigit(wp_bytes_u8(b)))
			return false;
	return true;
}

static inline bool json_string(struct wp_bytes *b)
{
	uint32_t character;

	if (wp_bytes_u8(b) != '"')
		return false;
	while (!b->failed) {
		size_t n = wp_utf8_get(b->data + b->pos, b->size - b->pos, &character);

		if (!n || character < 0x20)
			return false;
		wp_bytes_skip(b, n);
		if (character == '"')
			return true;
		if (character == '\\' && !json_escape(b))
			return false;
	}
	return false;
}

static inline bool json_number(struct wp_bytes *b)
{
	size_t start = b->pos;

	while (b->pos < b->size && strchr("+-.eE0123456789", b->data[b->pos]) && b->data[b->pos])
		b->pos++;
	return b->pos > start && (isdigit(b->data[start]) || b->data[start] == '-');
}

static inline bool json_value(struct wp_bytes *b, int depth);

/* Behind the opening bracket; with_keys: an object. */
static inline bool json_members(struct wp_bytes *b, char close, bool with_keys, int depth)
{
	wp_bytes_skip(b, 1);
	if (json_look(b) == close)
		return wp_bytes_u8(b) == close;
	do {
		json_look(b);
		if (with_keys && (!json_string(b) || json_look(b) != ':' || wp_bytes_u8(b) != ':'))
			return false;
		if (!json_value(b, depth - 1))
			return false;
	} while (json_look(b) == ',' && wp_bytes_u8(b));
	return wp_bytes_u8(b) == close;
}

static inline bool json_value(struct wp_bytes *b, int depth)
{
	char c = json_look(b);

	if (b->failed || depth == 0)
		return false;
	switch (c) {
	case '{': return json_members(b, '}', true, depth);
	case '[': return json_members(b, ']', false, depth);
	case '"': return json_string(b);
	case 't': return json_word(b, "true");
	case 'f': return json_word(b, "false");
	case 'n': return json_word(b, "null");
	default: return json_number(b);
	}
}

static inline bool json_is_valid(const struct wp_str *text)
{
	struct wp_bytes b = wp_bytes_of(text->s, text->len);

	return json_value(&b, JSON_DEPTH) && json_look(&b) == '\0' && b.pos == b.size;
}

/* False unless it is one whole gzip member. */
static inline bool gunzip(const struct wp_str *in, struct wp_str *out)
{
	z_stream z = {.next_in = (unsigned char *)in->s, .avail_in = (unsigned int)in->len};
	unsigned char chunk[4096];
	int status;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return false;
	do {
		z.next_out = chunk;
		z.avail_out = sizeof(chunk);
		status = inflate(&z, Z_NO_FLUSH);
		wp_str_append(out, (const char *)chunk, sizeof(chunk) - z.avail_out);
	} while (status == Z_OK);
	inflateEnd(&z);
	return status == Z_STREAM_END && z.avail_in == 0;
}

static inline uint64_t pprof_varint(struct wp_bytes *b)
{
	uint64_t number = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		uint8_t byte = wp_bytes_u8(b);

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	b->failed = true;
	return 0;
}

/* What a field with a length is, by the numbers that lead to it: m a message, p numbers, s text. */
static inline char pprof_kind(const char *path)
{
	static const char *const messages[] = {"1", "2", "3", "4", "5", "11", "2.3", "4.4"};

	for (size_t i = 0; i < WP_ARRAY_LEN(messages); i++)
		if (strcmp(path, messages[i]) == 0)
			return 'm';
	return strcmp(path, "6") == 0 ? 's' : 'p';
}

static inline bool pprof_message(struct wp_bytes b, const char *path, struct wp_str *out);

static inline bool pprof_bytes(struct wp_bytes b, const char *path, struct wp_str *out)
{
	switch (pprof_kind(path)) {
	case 'm':
		wp_str_puts(out, "{");
		if (!pprof_message(b, path, out))
			return false;
		wp_str_puts(out, " }");
		return true;
	case 's': wp_str_printf(out, "\"%.*s\"", (int)b.size, (const char *)b.data); return true;
	default:
		wp_str_puts(out, "[");
		while (b.pos < b.size && !b.failed)
			wp_str_printf(out, " %" PRIu64, pprof_varint(&b));
		wp_str_puts(out, " ]");
		return !b.failed;
	}
}

static inline bool pprof_message(struct wp_bytes b, const char *path, struct wp_str *out)
{
	while (b.pos < b.size && !b.failed) {
		uint64_t tag = pprof_varint(&b);
		wp_autofree char *inner =
			wp_asprintf("%s%s%" PRIu64, path, *path ? "." : "", tag >> 3);

		wp_str_printf(out, "%s%" PRIu64 ":", *path ? " " : "", tag >> 3);
		if ((tag & 7) == 0)
			wp_str_printf(out, "%" PRIu64, pprof_varint(&b));
		else if ((tag & 7) != 2 ||
			 !pprof_bytes(wp_bytes_sub(&b, pprof_varint(&b)), inner, out))
			return false;
		if (!*path)
			wp_str_puts(out, "\n");
	}
	return !b.failed;
}

/* The fields of a profile, a line each: "2:{ 1:[ 4 3 1 ] 2:[ 2 2000000 ] }". */
static inline bool pprof_text(const struct wp_str *profile, struct wp_str *out)
{
	wp_autostr struct wp_str bytes = {0};

	return gunzip(profile, &bytes) && pprof_message(wp_bytes_of(bytes.s, bytes.len), "", out);
}

#endif
