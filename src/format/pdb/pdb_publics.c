/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_publics: see pdb_publics.h. */
#include "format/pdb/pdb_publics.h"

#include "format/pdb/pdb_bound.h"
#include "format/pdb/pdb_symbols.h"

#include <stdlib.h>

#define HEADER_BYTES	28
#define MAX_NAME	65535
#define PUBLIC_FUNCTION 2

/* Where the records of publics are, sorted by their addresses; the sizes of both tables. */
static void *load_places(const struct wp_pdb_msf *msf, uint32_t stream, uint32_t *ret_bytes)
{
	uint8_t header[HEADER_BYTES] = {0};
	struct wp_bytes b = wp_bytes_of(header, sizeof(header));

	if (!wp_pdb_msf_read(msf, stream, 0, header, sizeof(header)))
		return NULL;
	uint64_t hash = wp_bytes_u32(&b);
	*ret_bytes = wp_bytes_u32(&b);
	return wp_pdb_msf_load(msf, stream, HEADER_BYTES + hash, *ret_bytes);
}

static bool read_public(const struct wp_pdb_publics *publics, const struct wp_pdb_dbi *dbi,
			uint32_t place, struct wp_pdb_public *ret)
{
	struct wp_bytes b = wp_bytes_of(publics->records, publics->size), body;

	wp_bytes_seek(&b, place);
	if (wp_pdb_symbols_next(&b, &body) != WP_PDB_S_PUB32)
		return false;
	ret->is_function = wp_bytes_u32(&body) & PUBLIC_FUNCTION;
	uint32_t offset = wp_bytes_u32(&body);
	uint16_t section = wp_bytes_u16(&body);
	ret->record = place + 4 + (uint32_t)body.pos;
	const char *name = wp_bytes_str(&body, MAX_NAME);
	if (!name || !*name || !wp_pdb_dbi_rva(dbi, section, offset, &ret->start))
		return false;
	return dbi->sections.v[section - 1].exec;
}

/* More than a few make no difference. */
static int underscores(const char *name)
{
	int n = 0;

	while (n < 4 && name[n] == '_')
		n++;
	return n;
}

/* Functions before labels, then fewer underscores in front, then the order in the file. */
static int better(const struct wp_pdb_publics *publics, const struct wp_pdb_public *a,
		  const struct wp_pdb_public *b)
{
	if (a->is_function != b->is_function)
		return a->is_function ? -1 : 1;
	int x = underscores(wp_pdb_publics_name(publics, a));
	int y = underscores(wp_pdb_publics_name(publics, b));
	if (x != y)
		return x < y ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

static int by_public_start(const void *a, const void *b, void *arg)
{
	const struct wp_pdb_public *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return better(arg, x, y);
}

/* The file has them by address already, as a rule: then only those of one address are sorted. */
static void sort_publics(struct wp_pdb_publics *publics)
{
	struct wp_pdb_public *all = publics->all.v;
	size_t n = publics->all.n, first = 0;
	bool sorted = true;

	for (size_t i = 1; i < n; i++)
		sorted = sorted && all[i - 1].start <= all[i].start;
	if (!sorted) {
		qsort_r(all, n, sizeof(*all), by_public_start, publics);
		return;
	}
	for (size_t i = 1; i <= n; i++) {
		if (i < n && all[i].start == all[first].start)
			continue;
		if (i - first > 1)
			qsort_r(all + first, i - first, sizeof(*all), by_public_start, publics);
		first = i;
	}
}

bool wp_pdb_publics_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			 struct wp_pdb_publics *ret)
{
	struct wp_pdb_publics publics = {.size = wp_pdb_msf_size(msf, dbi->records)};
	uint32_t bytes = 0;

	if (dbi->publics == WP_PDB_NO_STREAM)
		return true;
	wp_autofree void *places = load_places(msf, dbi->publics, &bytes);
	publics.records = places ? wp_pdb_msf_load(msf, dbi->records, 0, publics.size) : NULL;
	if (!publics.records)
		return false;
	struct wp_bytes b = wp_bytes_of(places, bytes);
	while (wp_bytes_left(&b) >= 4) {
		struct wp_pdb_public one = {0};

		if (read_public(&publics, dbi, wp_bytes_u32(&b), &one))
			wp_vec_push(&publics.all, one);
	}
	sort_publics(&publics);
	*ret = publics;
	return true;
}

void wp_pdb_publics_deinit(struct wp_pdb_publics *publics)
{
	free(publics->records);
	wp_vec_deinit(&publics->all);
	*publics = (struct wp_pdb_publics){0};
}

const struct wp_pdb_public *wp_pdb_publics_find(const struct wp_pdb_publics *publics, uint32_t rva)
{
	const struct wp_pdb_public *all = publics->all.v;
	size_t i = wp_pdb_bound_first(all, publics->all.n, sizeof(*all), rva);

	return i < publics->all.n ? &all[i] : NULL;
}

const struct wp_pdb_public *wp_pdb_publics_after(const struct wp_pdb_publics *publics, uint32_t rva)
{
	const struct wp_pdb_public *all = publics->all.v;

	return all + wp_pdb_bound(all, publics->all.n, sizeof(*all), rva);
}

const char *wp_pdb_publics_name(const struct wp_pdb_publics *publics,
				const struct wp_pdb_public *one)
{
	return publics->records + one->record;
}
