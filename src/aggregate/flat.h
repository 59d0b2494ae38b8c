/* SPDX-License-Identifier: BSD-3-Clause */
/* flat: samples to rows of (event, symbol), the table of hot functions before it is a table. */
#ifndef WP_FLAT_H
#define WP_FLAT_H

#include "base/vec.h"
#include "core/sink.h"

#include <stdint.h>

struct wp_flat_row {
	uint32_t symbol;
	uint64_t samples;
	uint64_t weight; /* sum of the samples' periods: what overhead is a share of */
};

struct wp_flat_sum {
	uint64_t samples, weight;
};

/* Periods by size: 0, 1, 2 to 3, 4 to 7 ... */
#define WP_FLAT_POWERS 65

struct wp_flat_event {
	WP_VEC(struct wp_flat_sum) sums; /* by symbol */
	WP_VEC(struct wp_flat_row) rows; /* of those with samples; empty until they are sorted */
	uint64_t samples, weight;
	uint64_t powers[WP_FLAT_POWERS]; /* samples by how many bits their period has */
};

/* All-zero is empty. */
struct wp_flat {
	struct wp_sink sink;
	WP_VEC(struct wp_flat_event) events; /* grown to the highest event index seen */
};

/* Takes samples from then on. */
struct wp_sink *wp_flat_sink(struct wp_flat *flat);
void wp_flat_add(struct wp_flat *flat, uint32_t event, uint32_t symbol, uint64_t period);
/* Makes every event's rows, by weight, then samples, descending; ties by symbol id. Ends adding. */
void wp_flat_sort(struct wp_flat *flat);
void wp_flat_deinit(struct wp_flat *flat);

#endif
