/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_large: memory in huge pages (declared in mem.h). */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_BYTES ((size_t)2 << 20)

void *wp_calloc_large(size_t n, size_t size)
{
	size_t bytes, whole;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - HUGE_BYTES)
		abort();
	whole = (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	p = aligned_alloc(HUGE_BYTES, whole ? whole : HUGE_BYTES);
	if (!p)
		abort();
	madvise(p, whole, MADV_HUGEPAGE);
	return memset(p, 0, whole);
}
