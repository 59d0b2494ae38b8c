/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_bpf_hit: a record of a probe's arguments, and the payload that is made of it. */
#include "format/perf/bpf_hit.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_probe_arg args[] = {
		{.name = "a", .size = 8},
		{.name = "b", .is_string = true, .size = 8},
		{.name = "c", .is_string = true, .size = 8},
	};
	struct wp_probe probe = {.args = args, .n_args = 3, .format_id = 1};
	wp_autostr struct wp_str payload = {0};
	struct wp_probe_hit hit;
	uint32_t event;

	if (wp_bpf_hit_parse(data, size, &hit, &event) &&
	    wp_probe_format_payload(&probe, &hit, &payload) &&
	    payload.len != 16 + 3 * 8 + hit.values[1] + hit.values[2])
		abort();
	return 0;
}
