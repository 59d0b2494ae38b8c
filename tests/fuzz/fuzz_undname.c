/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_undname: C++ names as Microsoft's compiler decorates them, one per line. */
#include "format/pdb/undname.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *rest = text;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *name = wp_undname(line);

		/* What back references multiply is bounded. */
		if (name && (!*name || strlen(name) > 256 << 10))
			abort();
		free(name);
	}
	free(text);
	return 0;
}
