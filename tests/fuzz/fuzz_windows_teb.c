/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_windows_teb: lines of /proc/PID/maps and, behind a NUL, the memory at 0x7ffd0000. */
#include "source/pinned/windows_teb.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BASE 0x7ffd0000u
#define SP   0x10f000u

struct image {
	const uint8_t *bytes;
	size_t n;
};

static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct image *image = arg;
	uint64_t at = addr - BASE;

	if (at > image->n || n > image->n - at)
		return false;
	memcpy(ret, image->bytes + at, n);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree char *maps = wp_strndup((const char *)data, size);
	size_t skip = strlen(maps) + 1;
	struct image image = {data + skip, size - skip};
	struct wp_memory memory = {read_image, &image};
	struct wp_windows_teb teb;

	if (skip >= size)
		image = (struct image){data, 0};
	for (uint64_t sp = 0; sp <= SP; sp += SP)
		if (wp_windows_teb_search(maps, &memory, sp, &teb) &&
		    (teb.addr < BASE || !teb.process))
			abort();
	return 0;
}
