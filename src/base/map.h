/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map: a hash table from 64-bit keys to 64-bit values.
 *
 * Keys are ids, addresses or packed pairs of ids; values are ids, counts or pointers cast to
 * uint64_t. An all-zero map is empty and usable. Keys from outside cannot force long probes
 * cheaply: they are mixed.
 */
#ifndef WP_MAP_H
#define WP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_map_slot {
	uint64_t key, value;
	bool used;
};

struct wp_map {
	struct wp_map_slot *slots;
	size_t n, cap; /* cap is 0 or a power of two */
};

/* The value's place, or NULL. Valid until the next wp_map_put() or wp_map_remove(). */
uint64_t *wp_map_get(const struct wp_map *map, uint64_t key);
/* The value's place, made with value 0 when the key is new. */
uint64_t *wp_map_put(struct wp_map *map, uint64_t key);
/* Takes the key out, if it is there. Places of other values are others afterwards. */
void wp_map_remove(struct wp_map *map, uint64_t key);
void wp_map_deinit(struct wp_map *map);

#endif
