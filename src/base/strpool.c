/* SPDX-License-Identifier: BSD-3-Clause */
/* strpool: see strpool.h. */
#include "base/strpool.h"

#include "base/hash.h"

#include <string.h>

uint32_t wp_strpool_id(struct wp_strpool *pool, const char *s)
{
	uint64_t *head = wp_map_put(&pool->by_hash, wp_hash_str(s));

	for (uint64_t at = *head; at; at = pool->next.v[at - 1])
		if (strcmp(pool->strings.v[at - 1], s) == 0)
			return (uint32_t)(at - 1);
	wp_vec_push(&pool->strings, wp_arena_strdup(&pool->arena, s));
	wp_vec_push(&pool->next, (uint32_t)*head);
	*head = pool->strings.n;
	return (uint32_t)(pool->strings.n - 1);
}

const char *wp_strpool_find(const struct wp_strpool *pool, const char *s)
{
	const uint64_t *head = wp_map_get(&pool->by_hash, wp_hash_str(s));

	for (uint64_t at = head ? *head : 0; at; at = pool->next.v[at - 1])
		if (strcmp(pool->strings.v[at - 1], s) == 0)
			return pool->strings.v[at - 1];
	return NULL;
}

const char *wp_strpool_get(const struct wp_strpool *pool, uint32_t id)
{
	return pool->strings.v[id];
}

void wp_strpool_deinit(struct wp_strpool *pool)
{
	wp_arena_deinit(&pool->arena);
	wp_map_deinit(&pool->by_hash);
	wp_vec_deinit(&pool->strings);
	wp_vec_deinit(&pool->next);
}
