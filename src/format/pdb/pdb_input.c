/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_input: see pdb_input.h. */
#include "format/pdb/pdb_input.h"

#include <string.h>

static bool read_memory_bytes(void *arg, uint64_t offset, void *ret, size_t len)
{
	const struct wp_pdb_bytes *bytes = arg;

	if (len > bytes->size || offset > bytes->size - len)
		return false;
	memcpy(ret, (const char *)bytes->data + offset, len);
	return true;
}

struct wp_pdb_input wp_pdb_input_of(const char *path, struct wp_pdb_bytes *bytes)
{
	return (struct wp_pdb_input){path, bytes->size, read_memory_bytes, bytes};
}
