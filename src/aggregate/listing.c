/* SPDX-License-Identifier: BSD-3-Clause */
/* listing: see listing.h. */
#include "aggregate/listing.h"

#include <stdlib.h>

struct wp_listing *wp_listings_add(struct wp_listings *listings, const char *name)
{
	struct wp_listing listing = {
		.name = wp_arena_strdup(&listings->arena, name),
		.samples = wp_arena_alloc(&listings->arena, listings->n_events * sizeof(uint64_t)),
	};

	wp_vec_push(&listings->functions, listing);
	return &listings->functions.v[listings->functions.n - 1];
}

struct wp_listing_row *wp_listing_add(struct wp_listings *listings, struct wp_listing *listing)
{
	struct wp_listing_row row = {
		.samples = wp_arena_alloc(&listings->arena, listings->n_events * sizeof(uint64_t)),
	};

	wp_vec_push(&listing->rows, row);
	return &listing->rows.v[listing->rows.n - 1];
}

struct wp_listing_row *wp_listing_at(const struct wp_listing *listing, uint64_t address)
{
	size_t low = 0, high = listing->rows.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (listing->rows.v[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &listing->rows.v[low - 1] : NULL;
}

void wp_listing_finish(struct wp_listing *listing)
{
	wp_vec_each (struct wp_listing_row, row, &listing->rows) {
		struct wp_listing_row *to =
			row->is_jump ? wp_listing_at(listing, row->target) : NULL;

		if (to && to->address == row->target)
			to->is_target = true;
	}
}

void wp_listings_deinit(struct wp_listings *listings)
{
	wp_vec_each (struct wp_listing, listing, &listings->functions)
		wp_vec_deinit(&listing->rows);
	wp_vec_deinit(&listings->functions);
	wp_arena_deinit(&listings->arena);
}
