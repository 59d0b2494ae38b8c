/* SPDX-License-Identifier: BSD-3-Clause */
/* map: open addressing with linear probing, at most half full; what stood behind a removed key
 * moves up. */
#include "base/map.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "base/mem.h"

#include <stdlib.h>

/* Fibonacci hashing with a final fold, so that addresses (aligned, clustered) spread. */
static size_t home_slot_of(uint64_t key, size_t cap)
{
	key ^= key >> 32;
	key = wp_hash_spread(key);
	return (key ^ key >> 29) & (cap - 1);
}

static struct wp_map_slot *probe_slot(const struct wp_map *map, uint64_t key)
{
	size_t i = home_slot_of(key, map->cap);

	while (map->slots[i].used && map->slots[i].key != key)
		i = (i + 1) & (map->cap - 1);
	return &map->slots[i];
}

uint64_t *wp_map_get(const struct wp_map *map, uint64_t key)
{
	if (!map->cap)
		return NULL;
	struct wp_map_slot *slot = probe_slot(map, key);
	return slot->used ? &slot->value : NULL;
}

static void grow(struct wp_map *map)
{
	struct wp_map bigger = {.n = map->n, .cap = map->cap ? map->cap * 2 : 64};

	bigger.slots = wp_calloc(bigger.cap, sizeof(*bigger.slots));
	for (size_t i = 0; i < map->cap; i++)
		if (map->slots[i].used)
			*probe_slot(&bigger, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = bigger;
}

uint64_t *wp_map_put(struct wp_map *map, uint64_t key)
{
	if (map->n * 2 >= map->cap)
		grow(map);
	wp_assert(map->n < map->cap && !(map->cap & (map->cap - 1)));
	struct wp_map_slot *slot = probe_slot(map, key);
	if (!slot->used) {
		*slot = (struct wp_map_slot){.key = key, .used = true};
		map->n++;
	}
	return &slot->value;
}

/* May a key that stands at `at` move to the free slot, which lies between its home and it? */
static bool may_move(const struct wp_map *map, size_t home, size_t free_at, size_t at)
{
	size_t mask = map->cap - 1;

	return ((at - home) & mask) >= ((at - free_at) & mask);
}

void wp_map_remove(struct wp_map *map, uint64_t key)
{
	struct wp_map_slot *slot = map->cap ? probe_slot(map, key) : NULL;
	size_t mask = map->cap - 1, free_at;

	if (!slot || !slot->used)
		return;
	free_at = (size_t)(slot - map->slots);
	for (size_t at = (free_at + 1) & mask; map->slots[at].used; at = (at + 1) & mask) {
		if (!may_move(map, home_slot_of(map->slots[at].key, map->cap), free_at, at))
			continue;
		map->slots[free_at] = map->slots[at];
		free_at = at;
	}
	map->slots[free_at] = (struct wp_map_slot){0};
	map->n--;
}

void wp_map_deinit(struct wp_map *map)
{
	free(map->slots);
	*map = (struct wp_map){0};
}
