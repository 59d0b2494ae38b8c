/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_proc_maps: the text of /proc/PID/maps. */
#include "format/maps/proc_maps.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree char *text = wp_strndup((const char *)data, size);
	struct wp_record_map map;
	char *at = text;

	while (wp_proc_maps_next_all(&at, &map))
		sink += strlen(map.path) + map.len;
	free(text);
	at = text = wp_strndup((const char *)data, size);
	while (wp_proc_maps_next(&at, &map))
		sink += strlen(map.path) + map.len;
	return 0;
}
