/* SPDX-License-Identifier: BSD-3-Clause */
/* strpool: each distinct string once, named by a small id; ids and pointers live as long as the
 * pool. */
#ifndef WP_STRPOOL_H
#define WP_STRPOOL_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdint.h>

struct wp_strpool {
	struct wp_arena arena;
	struct wp_map by_hash; /* hash -> id + 1 of the first string with it */
	WP_VEC(const char *) strings;
	WP_VEC(uint32_t) next; /* the next id with the same hash + 1, or 0 */
};

/* The pool's string that is s, or NULL. */
const char *wp_strpool_find(const struct wp_strpool *pool, const char *s);
/* The id of the string s, added when it is new. */
uint32_t wp_strpool_id(struct wp_strpool *pool, const char *s);
const char *wp_strpool_get(const struct wp_strpool *pool, uint32_t id);
void wp_strpool_deinit(struct wp_strpool *pool);

#endif
