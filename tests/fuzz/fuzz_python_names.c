/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_names: {family u8, words {place u16, value u16}...}: a process's memory as
 * tests/unit/python_names_image.h makes it, in which words are changed: to a number or, if it is
 * odd, to an address within. Whatever is there, names are text for a terminal.
 */
#include "base/bytes.h"
#include "base/utf8.h"
#include "../unit/python_names_image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool wants(void *arg, uint32_t tid)
{
	(void)arg, (void)tid;
	return true;
}

static void take(void *arg, uint32_t tid, const char *name)
{
	(void)arg, (void)tid;
	if (!*name)
		abort();
	for (size_t n = strlen(name), length; n; name += length, n -= length) {
		uint32_t c;

		length = wp_utf8_get(name, n, &c);
		if (!length || c < 0x20 || (c >= 0x7f && c < 0xa0))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes in = wp_bytes_of(data, size);
	struct names_image image;
	struct wp_memory memory = {names_read, &image};
	struct wp_python_names_asker asker = {wants, take, NULL};

	names_make(&image, wp_bytes_u8(&in) % N_FAMILIES, "worker-1");
	while (wp_bytes_left(&in) >= 4) {
		uint64_t at = wp_bytes_u16(&in) * UINT64_C(8) % image.used;
		uint64_t value = wp_bytes_u16(&in);

		names_put(&image, NAMES_BASE + at, value & 1 ? NAMES_BASE + value - 1 : value);
	}
	wp_python_names_read(&image.dicts, &image.plan, &memory, &asker);
	image.plan.tid = 0;
	wp_python_names_read(&image.dicts, &image.plan, &memory, &asker);
	return 0;
}
