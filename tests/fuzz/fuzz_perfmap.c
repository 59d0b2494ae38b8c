/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_perfmap: perf maps and lookups in the code they describe. */
#include "format/maps/perfmap.h"
#include "resolve/jit/jit_code.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes b = wp_bytes_of(data, size);
	struct wp_jit_code code = {0};
	struct wp_perfmap_entry e;

	while (wp_perfmap_next(&b, &e)) {
		wp_jit_code_add(&code, e.start, e.size, 0, e.name, e.name_len);
		wp_jit_code_find(&code, e.start + e.size - 1, 0);
	}
	wp_jit_code_deinit(&code);
	return 0;
}
