/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_jitdump: the header and records of a jitdump file. */
#include "format/maps/jitdump.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes b = wp_bytes_of(data, size);
	struct wp_jitdump_header header;
	struct wp_jitdump_record r;

	if (wp_jitdump_header(&b, &header) != WP_JITDUMP_OK)
		wp_bytes_seek(&b, 0);
	while (wp_jitdump_next(&b, &r) == WP_JITDUMP_OK) {
		if (r.kind == WP_JITDUMP_LOAD && strlen(r.name) > size)
			abort();
		uint8_t sum = 0;
		const uint8_t *bytes = r.eh_frame;
		for (size_t i = 0; r.kind == WP_JITDUMP_UNWIND && i < r.eh_frame_size; i++)
			sum ^= bytes[i];
		if (r.eh_frame_size > size || (sum && r.kind != WP_JITDUMP_UNWIND))
			abort();
	}
	return 0;
}
