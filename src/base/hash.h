/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash: keys for hash tables; no protection against who chooses keys that collide.
 */
#ifndef WP_HASH_H
#define WP_HASH_H

#include <stdint.h>

/* What an FNV-1a hash begins with. */
#define WP_HASH_FNV1A 0xcbf29ce484222325u

/* One FNV-1a step: mostly a byte; a wider value is mixed in at once. */
static inline uint64_t wp_hash_fnv1a(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x100000001b3u;
}

/* FNV-1a of a string. */
static inline uint64_t wp_hash_str(const char *s)
{
	uint64_t hash = WP_HASH_FNV1A;

	for (; *s; s++)
		hash = wp_hash_fnv1a(hash, (uint8_t)*s);
	return hash;
}

/* Fibonacci hashing: the high bits of the product depend on all bits of the key. */
static inline uint64_t wp_hash_spread(uint64_t key)
{
	return key * 0x9e3779b97f4a7c15u;
}

#endif
