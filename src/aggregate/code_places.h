/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code_places: samples per bytecode instruction.
 *
 * Aggregate stage. In: samples, each in its innermost Python frame. Out: for each event, function
 * and place in a code object, how many.
 */
#ifndef WP_CODE_PLACES_H
#define WP_CODE_PLACES_H

#include "base/map.h"
#include "base/vec.h"
#include "core/sample.h"
#include "core/sink.h"

struct wp_code_place {
	uint32_t event, symbol, line; /* of the frame */
	struct wp_stack_instruction at;
	uint64_t samples;
	uint32_t next; /* with the same hash: index + 1 */
};

/* All-zero is empty. */
struct wp_code_places {
	struct wp_sink sink;
	WP_VEC(struct wp_code_place) all;
	struct wp_map by_hash;
};

/* The sink that counts into it. */
struct wp_sink *wp_code_places_sink(struct wp_code_places *places);
/* By symbol, then code object and place; nothing may be added afterwards. */
void wp_code_places_sort(struct wp_code_places *places);
/* A symbol's places, sorted; how many in *ret_n. */
const struct wp_code_place *wp_code_places_of(const struct wp_code_places *places, uint32_t symbol,
					      size_t *ret_n);
void wp_code_places_deinit(struct wp_code_places *places);

#endif
