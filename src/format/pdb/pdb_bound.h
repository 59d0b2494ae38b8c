/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_bound: binary search in a table that is sorted by the 32-bit number each of its elements
 * begins with.
 */
#ifndef WP_PDB_BOUND_H
#define WP_PDB_BOUND_H

#include "base/bytes.h"

static inline uint32_t wp_pdb_bound_key(const void *table, size_t i, size_t bytes)
{
	return wp_u32_at((const char *)table + i * bytes);
}

/* How many of n elements of that many bytes have a number of at most `value`. */
static inline size_t wp_pdb_bound(const void *table, size_t n, size_t bytes, uint32_t value)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (wp_pdb_bound_key(table, mid, bytes) <= value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The first element with the highest number that is at most `value`; n when there is none. */
static inline size_t wp_pdb_bound_first(const void *table, size_t n, size_t bytes, uint32_t value)
{
	size_t after = wp_pdb_bound(table, n, bytes, value);
	uint32_t key;

	if (!after)
		return n;
	key = wp_pdb_bound_key(table, after - 1, bytes);
	if (after < 2 || wp_pdb_bound_key(table, after - 2, bytes) != key)
		return after - 1;
	return key ? wp_pdb_bound(table, n, bytes, key - 1) : 0;
}

#endif
