/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_bytecode: a sampled Python function's bytecode, as a listing. */
#ifndef WP_LISTING_BYTECODE_H
#define WP_LISTING_BYTECODE_H

#include "aggregate/listing.h"
#include "session/recorded/decoded_codes.h"

struct wp_sampling;

/*
 * Adds a listing for each code that samples of the function are in: one, unless the function was
 * compiled in several ways. Code objects of one code (of several processes) are one; the forms of
 * instructions are those of the one with most samples. What has no bytecode is told to `codes`.
 */
void wp_listing_bytecode(struct wp_sampling *s, struct wp_decoded_codes *codes, uint32_t symbol,
			 struct wp_listings *ret);

#endif
