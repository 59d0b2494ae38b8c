/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_pool: see bpf_pool.h. */
#include "source/bpf/bpf_pool.h"

#include "base/invariant.h"

#include <string.h>

/* Where n slots may begin at or after `first`. */
static uint64_t first_fitting_slot(const struct wp_bpf_pool *pool, uint64_t first, uint32_t n)
{
	uint64_t left = pool->chunk - first % pool->chunk;

	return pool->straddles || n <= left ? first : first + left;
}

/* Unused slices are sorted and do not overlap: nothing is given back twice. */
static bool fits_between(const struct wp_bpf_pool *pool, size_t at, struct wp_bpf_slice slice)
{
	const struct wp_bpf_slice *all = pool->unused.v;

	return (at == 0 || all[at - 1].first + all[at - 1].n <= slice.first) &&
	       (at == pool->unused.n || slice.first + slice.n <= all[at].first);
}

static void insert(struct wp_bpf_pool *pool, size_t at, struct wp_bpf_slice slice)
{
	if (!slice.n)
		return;
	wp_assert(fits_between(pool, at, slice));
	wp_vec_push(&pool->unused, slice);
	memmove(pool->unused.v + at + 1, pool->unused.v + at,
		(pool->unused.n - 1 - at) * sizeof(slice));
	pool->unused.v[at] = slice;
}

static void remove_at(struct wp_bpf_pool *pool, size_t at)
{
	memmove(pool->unused.v + at, pool->unused.v + at + 1,
		(pool->unused.n - 1 - at) * sizeof(*pool->unused.v));
	pool->unused.n--;
}

/* Cuts n slots at `first` out of an unused slice. */
static void cut_free(struct wp_bpf_pool *pool, size_t at, uint32_t first, uint32_t n)
{
	struct wp_bpf_slice slice = pool->unused.v[at];
	uint32_t end = slice.first + slice.n;

	remove_at(pool, at);
	insert(pool, at, (struct wp_bpf_slice){first + n, end - first - n});
	insert(pool, at, (struct wp_bpf_slice){slice.first, first - slice.first});
}

bool wp_bpf_pool_take(struct wp_bpf_pool *pool, uint32_t n, struct wp_bpf_slice *ret)
{
	uint64_t first;

	if (n > pool->chunk && !pool->straddles)
		return false;
	for (size_t i = 0; n && i < pool->unused.n; i++) {
		const struct wp_bpf_slice *slice = &pool->unused.v[i];

		first = first_fitting_slot(pool, slice->first, n);
		if (first + n > (uint64_t)slice->first + slice->n)
			continue;
		*ret = (struct wp_bpf_slice){(uint32_t)first, n};
		cut_free(pool, i, (uint32_t)first, n);
		return true;
	}
	first = first_fitting_slot(pool, pool->high, n);
	if (first + n > (uint64_t)pool->chunk * pool->chunks)
		return false;
	insert(pool, pool->unused.n,
	       (struct wp_bpf_slice){pool->high, (uint32_t)(first - pool->high)});
	pool->high = (uint32_t)first + n;
	*ret = (struct wp_bpf_slice){(uint32_t)first, n};
	return true;
}

void wp_bpf_pool_give(struct wp_bpf_pool *pool, struct wp_bpf_slice slice)
{
	size_t at = 0;

	if (!slice.n)
		return;
	while (at < pool->unused.n && pool->unused.v[at].first < slice.first)
		at++;
	if (at < pool->unused.n && pool->unused.v[at].first == slice.first + slice.n) {
		slice.n += pool->unused.v[at].n;
		remove_at(pool, at);
	}
	if (at && pool->unused.v[at - 1].first + pool->unused.v[at - 1].n == slice.first)
		pool->unused.v[at - 1].n += slice.n;
	else
		insert(pool, at, slice);
}

void wp_bpf_pool_deinit(struct wp_bpf_pool *pool)
{
	wp_vec_deinit(&pool->unused);
}
