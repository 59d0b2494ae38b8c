/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_choice: which functions of a run are shown as they are written. */
#ifndef WP_LISTING_CHOICE_H
#define WP_LISTING_CHOICE_H

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdint.h>

struct wp_sampling;

struct wp_listing_choice {
	struct wp_map of_symbol; /* id -> index + 1, while functions are gathered */
	WP_VEC(struct wp_chosen {
		uint32_t symbol;
		uint64_t samples; /* of all events, in the function itself */
	}) functions;		  /* Python's first, each kind by falling samples */
};

/*
 * word: a function's name, a pattern as of --symbol, or FILE:LINE, of which samples are in the
 * function; fails when no sample is. NULL: the hottest ones, as many of each kind as --rows says (3
 * if it does not). The run's results are sorted.
 */
struct wp_err *wp_listing_choice_make(struct wp_sampling *s, const char *word,
				      struct wp_listing_choice *ret) WP_MUST_CHECK;
void wp_listing_choice_deinit(struct wp_listing_choice *choice);
#define wp_autolisting_choice WP_CLEANUP(wp_listing_choice_deinit)

#endif
