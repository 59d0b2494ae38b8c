/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_data: see sample_data.h. */
#include "core/sample_data.h"

#include <string.h>

static void *keep_bytes(struct wp_arena *arena, const void *from, size_t bytes, size_t *total)
{
	*total += bytes;
	return bytes ? memcpy(wp_arena_alloc(arena, bytes), from, bytes) : NULL;
}

static void keep_regs(struct wp_arena *arena, struct wp_data_regs *regs, size_t *total)
{
	size_t n = regs->values ? (size_t)__builtin_popcountll(regs->mask) : 0;

	regs->values = keep_bytes(arena, regs->values, n * sizeof(*regs->values), total);
}

const struct wp_sample_data *wp_sample_data_keep(struct wp_arena *arena,
						 const struct wp_sample_data *data, size_t *total)
{
	struct wp_sample_data *ret = keep_bytes(arena, data, sizeof(*data), total);

	ret->branches = keep_bytes(arena, data->branches,
				   data->n_branches * sizeof(*data->branches), total);
	ret->readings = keep_bytes(arena, data->readings,
				   data->n_readings * sizeof(*data->readings), total);
	keep_regs(arena, &ret->user_regs, total);
	keep_regs(arena, &ret->intr_regs, total);
	return ret;
}
