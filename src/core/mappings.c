/* SPDX-License-Identifier: BSD-3-Clause */
/* mappings: see mappings.h. One array, shared copy-on-write. */
#include "core/mappings.h"

#include "base/invariant.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's own default limit is 65530 mappings of all kinds. */
#define MAX_MAPPINGS (1u << 18)

struct wp_mappings {
	uint32_t refs;
	size_t n, cap;
	struct wp_mapping v[];
};

void wp_mappings_release(struct wp_mappings **maps)
{
	if (*maps && --(*maps)->refs == 0)
		free(*maps);
	*maps = NULL;
}

struct wp_mappings *wp_mappings_share(struct wp_mappings *maps)
{
	if (maps)
		maps->refs++;
	return maps;
}

/* Makes the set its holder's alone, with room for `more`. */
static struct wp_mappings *own_mappings(struct wp_mappings **set, size_t more)
{
	struct wp_mappings *old = *set;
	size_t n = old ? old->n : 0;

	if (old && old->refs == 1 && old->cap >= n + more)
		return old;
	size_t cap = (n + more) * 2;
	struct wp_mappings *maps = wp_calloc(1, sizeof(*maps) + cap * sizeof(maps->v[0]));
	maps->refs = 1;
	maps->n = n;
	maps->cap = cap;
	if (n)
		memcpy(maps->v, old->v, n * sizeof(maps->v[0]));
	wp_mappings_release(set);
	*set = maps;
	return maps;
}

/* The first mapping that ends behind the address. */
static size_t find_behind(const struct wp_mappings *maps, uint64_t va)
{
	size_t lo = 0, hi = maps->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (maps->v[mid].start.v + (maps->v[mid].len - 1) < va)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* What is left of `old` on both sides of the new mapping, which lies between them. */
static size_t cut_mappings(const struct wp_mappings *maps, size_t from, size_t to,
			   const struct wp_mapping *new, struct wp_mapping ret[3])
{
	uint64_t last = new->start.v + (new->len - 1);
	size_t n = 0;

	if (from < to && maps->v[from].start.v < new->start.v) {
		ret[n] = maps->v[from];
		ret[n].len = new->start.v - ret[n].start.v;
		n++;
	}
	ret[n++] = *new;
	if (from < to) {
		struct wp_mapping right = maps->v[to - 1];
		uint64_t right_last = right.start.v + (right.len - 1);

		if (right_last > last) {
			right.pgoff.v += last + 1 - right.start.v;
			right.start.v = last + 1;
			right.len = right_last - last;
			ret[n++] = right;
		}
	}
	return n;
}

/* The mappings from..to and their neighbours do not overlap, and are sorted. */
static bool is_in_order(const struct wp_mappings *maps, size_t from, size_t to)
{
	for (size_t i = from ? from : 1; i <= to && i < maps->n; i++)
		if (maps->v[i - 1].start.v + (maps->v[i - 1].len - 1) >= maps->v[i].start.v)
			return false;
	return true;
}

bool wp_mappings_add(struct wp_mappings **set, const struct wp_mapping *mapping)
{
	struct wp_mapping new = *mapping, put[3];

	if (!new.len)
		return true;
	if (new.len - 1 > UINT64_MAX - new.start.v)
		new.len = UINT64_MAX - new.start.v + 1;
	struct wp_mappings *maps = own_mappings(set, 2);
	if (maps->n + 2 > MAX_MAPPINGS)
		return false;
	size_t from = find_behind(maps, new.start.v), to = from;
	while (to < maps->n && maps->v[to].start.v <= new.start.v + (new.len - 1))
		to++;
	size_t n = cut_mappings(maps, from, to, &new, put);
	memmove(&maps->v[from + n], &maps->v[to], (maps->n - to) * sizeof(maps->v[0]));
	memcpy(&maps->v[from], put, n * sizeof(maps->v[0]));
	maps->n += n - (to - from);
	wp_assert(is_in_order(maps, from, from + n));
	return true;
}

struct wp_mapping *wp_mappings_at(struct wp_mappings *maps, struct wp_va va)
{
	if (!maps)
		return NULL;
	size_t at = find_behind(maps, va.v);
	return at < maps->n && maps->v[at].start.v <= va.v ? &maps->v[at] : NULL;
}

size_t wp_mappings_up_to(const struct wp_mappings *maps, struct wp_va va)
{
	size_t at;

	if (!maps)
		return 0;
	at = find_behind(maps, va.v);
	return at + (at < maps->n && maps->v[at].start.v <= va.v);
}

struct wp_mapping *wp_mappings_all(struct wp_mappings *maps, size_t *ret_n)
{
	*ret_n = maps ? maps->n : 0;
	return maps ? maps->v : NULL;
}
