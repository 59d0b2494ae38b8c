/* SPDX-License-Identifier: BSD-3-Clause */
/* arena: bump allocation in blocks of 64 KiB; larger requests get a block of their own. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (64 * 1024)

struct wp_arena_block {
	struct wp_arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) char bytes[];
};

static struct wp_arena_block *new_arena_block(size_t size)
{
	struct wp_arena_block *block = wp_calloc(1, sizeof(*block) + size);

	block->size = size;
	return block;
}

void *wp_arena_alloc(struct wp_arena *arena, size_t bytes)
{
	struct wp_arena_block *block = arena->head;

	if (bytes > SIZE_MAX / 2)
		abort();
	bytes = (bytes + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	if (!block || block->size - block->used < bytes) {
		block = new_arena_block(bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
		if (arena->head && bytes > BLOCK_BYTES) { /* keep the half-full block in front */
			block->next = arena->head->next;
			arena->head->next = block;
		} else {
			block->next = arena->head;
			arena->head = block;
		}
	}
	void *p = block->bytes + block->used;
	block->used += bytes;
	return p;
}

char *wp_arena_strndup(struct wp_arena *arena, const char *s, size_t n)
{
	size_t len = strnlen(s, n);

	return memcpy(wp_arena_alloc(arena, len + 1), s, len);
}

char *wp_arena_strdup(struct wp_arena *arena, const char *s)
{
	return wp_arena_strndup(arena, s, strlen(s));
}

char *wp_arena_printf(struct wp_arena *arena, const char *fmt, ...)
{
	wp_autofree char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		abort();
	va_end(ap);
	return wp_arena_strdup(arena, s);
}

void wp_arena_adopt(struct wp_arena *arena, struct wp_arena *from)
{
	struct wp_arena_block **end = &arena->head;

	while (*end)
		end = &(*end)->next;
	*end = from->head;
	from->head = NULL;
}

size_t wp_arena_bytes(const struct wp_arena *arena)
{
	size_t bytes = 0;

	for (const struct wp_arena_block *block = arena->head; block; block = block->next)
		bytes += sizeof(*block) + block->size;
	return bytes;
}

void wp_arena_deinit(struct wp_arena *arena)
{
	for (struct wp_arena_block *block = arena->head, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->head = NULL;
}
