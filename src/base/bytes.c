/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes: see bytes.h. */
#include "base/bytes.h"

#include <string.h>

void wp_bytes_seek(struct wp_bytes *b, uint64_t pos)
{
	if (pos > b->size)
		b->failed = true;
	else
		b->pos = pos;
}

const char *wp_bytes_str(struct wp_bytes *b, size_t max)
{
	size_t left = wp_bytes_left(b), limit = left < max + 1 ? left : max + 1;
	const char *s = limit ? (const char *)b->data + b->pos : NULL;

	if (!s || !memchr(s, '\0', limit)) {
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
