/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_cmn_map: the kernel's map of a mesh. */
#include "format/cmn_map.h"

#include "base/mem.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree char *text = wp_strndup((const char *)data, size);
	struct wp_cmn_map map;

	if (!wp_cmn_map_parse(text, &map))
		return 0;
	if (map.xps.n != (size_t)map.columns * map.rows || map.ports > WP_CMN_PORTS)
		abort();
	wp_vec_each (struct wp_cmn_xp, xp, &map.xps)
		for (unsigned int port = 0; port < map.ports; port++)
			if (wp_cmn_device_id(&map, xp, port, 0) < wp_cmn_xp_id(&map, xp))
				abort();
	wp_cmn_map_deinit(&map);
	return 0;
}
