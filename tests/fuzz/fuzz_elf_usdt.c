/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_elf_usdt: the notes of a program's markers. */
#include "format/elf/elf_usdt.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes notes = wp_bytes_of(data, size);
	struct wp_elf_marker marker;
	uint64_t base;

	while (wp_elf_usdt_next(&notes, &marker, &base))
		if (!*marker.provider || !*marker.name ||
		    strlen(marker.arguments) > WP_ELF_USDT_NAME)
			abort();
	return 0;
}
