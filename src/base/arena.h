/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arena: many small allocations with one end of life.
 *
 * Memory has three lifetimes here (batch, session, report) and an arena for each. Nothing is freed
 * singly. An all-zero arena is empty and usable.
 */
#ifndef WP_ARENA_H
#define WP_ARENA_H

#include "base/mem.h"

struct wp_arena_block;

struct wp_arena {
	struct wp_arena_block *head;
};

/* Zeroed memory, aligned for any type, valid until wp_arena_deinit(). */
void *wp_arena_alloc(struct wp_arena *arena, size_t bytes) __attribute__((malloc));
/* Copies the first n bytes of s (or fewer, up to its NUL) and ends the copy with a NUL. */
char *wp_arena_strndup(struct wp_arena *arena, const char *s, size_t n);
char *wp_arena_strdup(struct wp_arena *arena, const char *s);
char *wp_arena_printf(struct wp_arena *arena, const char *fmt, ...) WP_PRINTF(2, 3);
/* All that `from` has lives as long as the arena; `from` is empty and usable afterwards. */
void wp_arena_adopt(struct wp_arena *arena, struct wp_arena *from);
/* How much memory it takes. */
size_t wp_arena_bytes(const struct wp_arena *arena);
/* Frees everything; the arena is empty and usable afterwards. */
void wp_arena_deinit(struct wp_arena *arena);

#endif
