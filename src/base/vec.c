/* SPDX-License-Identifier: BSD-3-Clause */
/* vec: growth by doubling; see vec.h. */
#include "base/vec.h"

void *wp_vec_grow_(void *v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap ? *cap * 2 : 8;
	return wp_realloc(v, *cap, size);
}
