/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_memory: a process's memory that is the rest of a fuzzer's input, and what the names in it
 * must have become: text for a terminal.
 */
#ifndef FUZZ_PYTHON_MEMORY_H
#define FUZZ_PYTHON_MEMORY_H

#include "base/bytes.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x7f0000000000ull /* of the memory */

/* Where a code object has its parts: early, so that seeds are small. */
#define CODE_PARTS                                                                  \
	.code_name = 8, .code_qualname = 16, .code_filename = 24, .code_lines = 32, \
	.code_first_line = 40, .code_bytes = 48

/* For struct wp_memory; arg is the image, a struct wp_bytes. */
static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct wp_bytes *image = arg;

	if (addr < BASE || addr - BASE > image->size || n > image->size - (addr - BASE))
		return false;
	memcpy(ret, image->data + (addr - BASE), n);
	return true;
}

static void check_text(const char *text)
{
	size_t length;
	uint32_t c;

	for (size_t n = strlen(text); n; text += length, n -= length) {
		length = wp_utf8_get(text, n, &c);
		if (!length || c < 0x20 || (c >= 0x7f && c < 0xa0))
			abort();
	}
}

#endif
