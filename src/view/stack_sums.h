/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_sums: a profile's samples summed up: one sum for each stack and event, stack and thread, or
 * stack and measure.
 *
 * View stage. Sums are in the order in which their first samples came.
 */
#ifndef WP_STACK_SUMS_H
#define WP_STACK_SUMS_H

#include "base/map.h"
#include "core/profile.h"

enum wp_sum_by {
	WP_SUM_BY_EVENT,
	WP_SUM_BY_THREAD,
	WP_SUM_BY_MEASURE,
};

struct wp_stack_sum {
	uint32_t stack; /* or WP_NO_STACK */
	uint32_t of;	/* the event, thread or measure */
	uint64_t weight, samples;
};

struct wp_stack_sums {
	struct wp_map at; /* stack and of -> index in sums + 1 */
	WP_VEC(struct wp_stack_sum) sums;
};

/* The caller deinits. */
void wp_stack_sums_make(const struct wp_profile *profile, enum wp_sum_by by,
			struct wp_stack_sums *ret);
void wp_stack_sums_deinit(struct wp_stack_sums *sums);

#endif
