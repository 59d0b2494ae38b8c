/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_sums: see stack_sums.h. */
#include "view/stack_sums.h"

void wp_stack_sums_make(const struct wp_profile *profile, enum wp_sum_by by,
			struct wp_stack_sums *ret)
{
	*ret = (struct wp_stack_sums){0};
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples) {
		uint32_t of = by == WP_SUM_BY_EVENT ? sample->event : sample->thread;
		uint64_t *at = wp_map_put(&ret->at, (uint64_t)sample->stack << 32 | of);

		if (!*at) {
			wp_vec_push(&ret->sums,
				    (struct wp_stack_sum){.stack = sample->stack, .of = of});
			*at = ret->sums.n;
		}
		ret->sums.v[*at - 1].weight += sample->weight;
		ret->sums.v[*at - 1].samples++;
	}
}

void wp_stack_sums_deinit(struct wp_stack_sums *sums)
{
	wp_map_deinit(&sums->at);
	wp_vec_deinit(&sums->sums);
}
