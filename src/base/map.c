/* map: open addressing with linear probing, at most half full; nothing is ever removed. */
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>

/* Fibonacci hashing with a final fold, so that addresses (aligned, clustered) spread. */
static size_t slot_of(uint64_t key, size_t cap)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15u;
	return (key ^ key >> 29) & (cap - 1);
}

static struct wp_map_slot *probe(const struct wp_map *map, uint64_t key)
{
	size_t i = slot_of(key, map->cap);

	while (map->slots[i].used && map->slots[i].key != key)
		i = (i + 1) & (map->cap - 1);
	return &map->slots[i];
}

uint64_t *wp_map_get(const struct wp_map *map, uint64_t key)
{
	if (!map->cap)
		return NULL;
	struct wp_map_slot *slot = probe(map, key);
	return slot->used ? &slot->value : NULL;
}

static void grow(struct wp_map *map)
{
	struct wp_map bigger = {.n = map->n, .cap = map->cap ? map->cap * 2 : 64};

	bigger.slots = wp_calloc(bigger.cap, sizeof(*bigger.slots));
	for (size_t i = 0; i < map->cap; i++)
		if (map->slots[i].used)
			*probe(&bigger, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = bigger;
}

uint64_t *wp_map_put(struct wp_map *map, uint64_t key)
{
	if (map->n * 2 >= map->cap)
		grow(map);
	struct wp_map_slot *slot = probe(map, key);
	if (!slot->used) {
		*slot = (struct wp_map_slot){.key = key, .used = true};
		map->n++;
	}
	return &slot->value;
}

void wp_map_deinit(struct wp_map *map)
{
	free(map->slots);
	*map = (struct wp_map){0};
}
