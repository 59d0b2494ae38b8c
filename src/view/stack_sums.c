/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_sums: see stack_sums.h. */
#include "view/stack_sums.h"

static void add_to_sum(struct wp_stack_sums *sums, uint32_t stack, uint32_t of, uint64_t weight)
{
	uint64_t *at = wp_map_put(&sums->at, (uint64_t)stack << 32 | of);

	if (!*at) {
		wp_vec_push(&sums->sums, (struct wp_stack_sum){.stack = stack, .of = of});
		*at = sums->sums.n;
	}
	sums->sums.v[*at - 1].weight += weight;
	sums->sums.v[*at - 1].samples++;
}

static void add_measured(const struct wp_profile *profile, const struct wp_profile_sample *sample,
			 struct wp_stack_sums *sums)
{
	for (uint32_t i = 0; i < profile->measures.n; i++) {
		uint64_t measured = wp_profile_measured(&profile->measures.v[i], sample);

		if (measured)
			add_to_sum(sums, sample->stack, i, measured);
	}
}

void wp_stack_sums_make(const struct wp_profile *profile, enum wp_sum_by by,
			struct wp_stack_sums *ret)
{
	*ret = (struct wp_stack_sums){0};
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples) {
		if (by == WP_SUM_BY_MEASURE)
			add_measured(profile, sample, ret);
		else
			add_to_sum(ret, sample->stack,
				   by == WP_SUM_BY_EVENT ? sample->event : sample->thread,
				   sample->weight);
	}
}

void wp_stack_sums_deinit(struct wp_stack_sums *sums)
{
	wp_map_deinit(&sums->at);
	wp_vec_deinit(&sums->sums);
}
