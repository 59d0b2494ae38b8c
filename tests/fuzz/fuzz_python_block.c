/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_block: {version u8, block u8, address u16, words {place u16, value u16}...}: a pool
 * of a process as tests/unit/python_block_image.h makes it, in which words are changed: to a number
 * or, if it is odd, to an address within. Whatever is there, a block has the address, and a type is
 * text.
 */
#include "base/bytes.h"
#include "../unit/python_block_image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void change_words(struct block_image *image, struct wp_bytes *in)
{
	while (wp_bytes_left(in) >= 4) {
		uint64_t at = wp_bytes_u16(in) * UINT64_C(8) % BLOCK_BYTES;
		uint64_t value = wp_bytes_u16(in);

		block_put(image, BLOCK_BASE + at, value & 1 ? BLOCK_BASE + value - 1 : value);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t versions[] = {0x030712f0, 0x030b07f0, 0x030d00f0, 0x030e00f0};
	struct wp_bytes in = wp_bytes_of(data, size);
	uint32_t version = versions[wp_bytes_u8(&in) % WP_ARRAY_LEN(versions)];
	uint32_t bytes = (wp_bytes_u8(&in) % 8 + 1) * 16;
	uint64_t addr = BLOCK_BASE + wp_bytes_u16(&in);
	struct wp_python_block_types types = {0};
	struct block_image image;
	struct wp_memory memory = {block_read, &image};
	struct wp_python_block found;

	block_make(&image, version, bytes);
	block_put_object(&image, 1, 0, BLOCK_FLOAT);
	block_put_object(&image, 2, 16, BLOCK_TUPLE);
	block_put_object(&image, 3, 32, BLOCK_ROW);
	change_words(&image, &in);
	for (int i = 0; i < 2; i++) /* once more, with what it knows */
		if (wp_python_block_read(&types, &memory, &image.plan, version, addr, &found) &&
		    (addr - found.start >= found.bytes || found.kind >= WP_PYTHON_BLOCK_KINDS ||
		     !memchr(found.type, '\0', sizeof(found.type)) ||
		     (found.kind == WP_PYTHON_BLOCK_OBJECT) > (*found.type != '\0')))
			abort();
	wp_python_block_types_deinit(&types);
	return 0;
}
