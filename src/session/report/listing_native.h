/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_native: a sampled native function's instructions, with what the samples were at. */
#ifndef WP_LISTING_NATIVE_H
#define WP_LISTING_NATIVE_H

#include "aggregate/listing.h"

struct wp_sampling;

/*
 * Adds the function of that symbol id; the run's instructions (results.pcs) are sorted. Where its
 * code is not to be had, which is noted, its rows are the addresses that were sampled.
 */
void wp_listing_native(struct wp_sampling *s, uint32_t symbol, struct wp_listings *ret);

#endif
