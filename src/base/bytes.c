/* bytes: see bytes.h. */
#include "base/bytes.h"

#include <string.h>

struct wp_bytes wp_bytes_of(const void *data, size_t size)
{
	return (struct wp_bytes){.data = data, .size = size};
}

size_t wp_bytes_left(const struct wp_bytes *b)
{
	return b->failed ? 0 : b->size - b->pos;
}

const void *wp_bytes_take(struct wp_bytes *b, uint64_t n)
{
	if (b->failed || n > b->size - b->pos) {
		b->failed = true;
		return NULL;
	}
	const void *p = b->data + b->pos;
	b->pos += n;
	return p;
}

void wp_bytes_seek(struct wp_bytes *b, uint64_t pos)
{
	if (pos > b->size)
		b->failed = true;
	else
		b->pos = pos;
}

void wp_bytes_skip(struct wp_bytes *b, uint64_t n)
{
	(void)wp_bytes_take(b, n);
}

/* All reads go through here, so that alignment never matters. */
static uint64_t read_le(struct wp_bytes *b, size_t n)
{
	uint64_t value = 0;
	const void *p = wp_bytes_take(b, n);

	if (p)
		memcpy(&value, p, n);
	return value;
}

uint16_t wp_bytes_u16(struct wp_bytes *b)
{
	return (uint16_t)read_le(b, 2);
}

uint32_t wp_bytes_u32(struct wp_bytes *b)
{
	return (uint32_t)read_le(b, 4);
}

uint64_t wp_bytes_u64(struct wp_bytes *b)
{
	return read_le(b, 8);
}

const char *wp_bytes_str(struct wp_bytes *b, size_t max)
{
	size_t left = wp_bytes_left(b), limit = left < max + 1 ? left : max + 1;
	const char *s = (const char *)b->data + b->pos;

	if (!limit || !memchr(s, '\0', limit)) {
		b->failed = true;
		return NULL;
	}
	b->pos += strlen(s) + 1;
	return s;
}

struct wp_bytes wp_bytes_sub(struct wp_bytes *b, uint64_t n)
{
	const void *p = wp_bytes_take(b, n);

	if (!p)
		return (struct wp_bytes){.failed = true};
	return wp_bytes_of(p, n);
}
