/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_xz: a stream of .xz, as in .gnu_debugdata. */
#include "format/elf/xz_decode.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT (128u << 10)

static volatile uint64_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *bytes = NULL;
	size_t n = 0;
	wp_autoerr struct wp_err *err = wp_xz_decode(data, size, LIMIT, &bytes, &n);

	if (n > LIMIT || (err && bytes))
		abort();
	for (size_t i = 0; i < n; i++) /* all of it is there */
		sink += ((uint8_t *)bytes)[i];
	free(bytes);
	return 0;
}
