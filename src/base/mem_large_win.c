/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_large_win: see mem_large.c; huge pages need a privilege on Windows. */
#include "base/mem.h"

void *wp_calloc_large(size_t n, size_t size)
{
	return wp_calloc(n, size);
}
