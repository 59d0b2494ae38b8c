/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes: a bounds-checked cursor over bytes that came from outside.
 *
 * Every parser of a format is built on it. A read past the end returns 0 and marks the cursor as
 * failed; it stays failed, so a parser reads a whole structure and asks once. Little-endian only:
 * every file and machine we read is (big-endian input is refused by its reader).
 */
#ifndef WP_BYTES_H
#define WP_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The integer at p, which need not be aligned; that it is inside of something the caller knows. */
static inline uint16_t wp_u16_at(const void *p)
{
	uint16_t value;

	return memcpy(&value, p, sizeof(value)), value;
}
static inline uint32_t wp_u32_at(const void *p)
{
	uint32_t value;

	return memcpy(&value, p, sizeof(value)), value;
}
static inline uint64_t wp_u64_at(const void *p)
{
	uint64_t value;

	return memcpy(&value, p, sizeof(value)), value;
}

struct wp_bytes {
	const uint8_t *data;
	size_t size, pos; /* pos <= size always */
	bool failed;
};

/* Inline is what line tables and samples are read with, millions of times. */
static inline struct wp_bytes wp_bytes_of(const void *data, size_t size)
{
	return (struct wp_bytes){.data = data, .size = size};
}
static inline size_t wp_bytes_left(const struct wp_bytes *b)
{
	return b->failed ? 0 : b->size - b->pos;
}
/* Moves to an absolute position; past the end fails. */
void wp_bytes_seek(struct wp_bytes *b, uint64_t pos);
/* The next n bytes, borrowed, or NULL (and failed) when fewer are left. */
static inline const void *wp_bytes_take(struct wp_bytes *b, uint64_t n)
{
	const void *p;

	if (b->failed || n > b->size - b->pos) {
		b->failed = true;
		return NULL;
	}
	p = b->data + b->pos;
	b->pos += n;
	return p;
}
static inline void wp_bytes_skip(struct wp_bytes *b, uint64_t n)
{
	(void)wp_bytes_take(b, n);
}
static inline uint8_t wp_bytes_u8(struct wp_bytes *b)
{
	if (b->failed || b->pos >= b->size) {
		b->failed = true;
		return 0;
	}
	return b->data[b->pos++];
}
static inline uint16_t wp_bytes_u16(struct wp_bytes *b)
{
	const void *p = wp_bytes_take(b, 2);

	return p ? wp_u16_at(p) : 0;
}
static inline uint32_t wp_bytes_u32(struct wp_bytes *b)
{
	const void *p = wp_bytes_take(b, 4);

	return p ? wp_u32_at(p) : 0;
}
static inline uint64_t wp_bytes_u64(struct wp_bytes *b)
{
	const void *p = wp_bytes_take(b, 8);

	return p ? wp_u64_at(p) : 0;
}
/* The next NUL-terminated string, borrowed, at most max bytes long without its NUL; else NULL and
 * failed. */
const char *wp_bytes_str(struct wp_bytes *b, size_t max);
/* A cursor over the next n bytes, which this one skips; an empty failed one when fewer are left. */
struct wp_bytes wp_bytes_sub(struct wp_bytes *b, uint64_t n);

#endif
