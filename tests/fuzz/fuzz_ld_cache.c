/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_ld_cache: the loader's cache of libraries. */
#include "format/elf/ld_cache.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = wp_ld_cache_find(data, size, "liba.so.1");

	if (path && (path < (const char *)data || path + strlen(path) >= (const char *)data + size))
		abort();
	return 0;
}
