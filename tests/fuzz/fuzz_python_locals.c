/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_locals: {tagged u8, words {place u16, value u16}...}: a process's memory as
 * tests/unit/python_locals_image.h makes it, in which words are changed: to a number or, if it is
 * odd, to an address within. Whatever is there, names and values are text for a terminal.
 */
#include "base/bytes.h"
#include "base/utf8.h"
#include "../unit/python_locals_image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text)
{
	if (!*text)
		abort();
	for (size_t n = strlen(text), length; n; text += length, n -= length) {
		uint32_t c;

		length = wp_utf8_get(text, n, &c);
		if (!length || c < 0x20 || (c >= 0x7f && c < 0xa0))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes in = wp_bytes_of(data, size);
	struct locals_image image;
	struct wp_memory memory = {names_read, &image.names};
	struct wp_python_locals found = {0};

	locals_make(&image, wp_bytes_u8(&in) & 1);
	while (wp_bytes_left(&in) >= 4) {
		uint64_t at = wp_bytes_u16(&in) * UINT64_C(8) % image.names.used;
		uint64_t value = wp_bytes_u16(&in);

		names_put(&image.names, NAMES_BASE + at,
			  value & 1 ? NAMES_BASE + value - 1 : value);
	}
	wp_python_locals_read(&image.layout, &image.names.plan, &memory, image.slots, 5, 0, &found);
	wp_vec_each (struct wp_python_local, local, &found.v) {
		check_text(local->name);
		check_text(local->value);
		if (local->slot != 1 && local->slot != 3)
			abort();
	}
	wp_python_locals_deinit(&found);
	return 0;
}
