/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_python: a sampled Python function's source, with what was sampled in its lines. */
#ifndef WP_LISTING_PYTHON_H
#define WP_LISTING_PYTHON_H

#include "aggregate/listing.h"

struct wp_sampling;

/*
 * Adds the function of that symbol id. Where its source is not to be had its rows are the lines
 * that were sampled.
 */
void wp_listing_python(struct wp_sampling *s, uint32_t symbol, struct wp_listings *ret);

#endif
