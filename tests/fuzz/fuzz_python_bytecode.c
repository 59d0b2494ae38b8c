/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_bytecode: {minor version u8, code}: instructions follow one another without gaps, and
 * each is found by every offset in it.
 */
#include "base/bytes.h"
#include "format/python/python_bytecode.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_places(const struct wp_python_instructions *found, size_t n)
{
	uint32_t at = 0;

	wp_vec_each (const struct wp_python_instruction, it, &found->all) {
		if (it->offset != at || it->end <= at)
			abort();
		if (wp_python_instruction_at(found, it->offset) != it ||
		    wp_python_instruction_at(found, it->end - 1) != it)
			abort();
		at = it->end;
	}
	if (at != n || wp_python_instruction_at(found, -1) ||
	    wp_python_instruction_at(found, (int64_t)n))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes in = wp_bytes_of(data, size);
	uint8_t minor = wp_bytes_u8(&in);
	struct wp_python_bytecode code = {.version = minor == 7 ? 0x0207 : 0x0300u + minor};
	struct wp_python_instructions found;

	if (minor == 255)
		code.version = 0x0307; /* 7 is 2.7 here */
	code.n = wp_bytes_left(&in);
	code.code = wp_bytes_take(&in, code.n);
	if (in.failed)
		return 0;
	if (wp_python_bytecode_decode(&code, &found) == WP_PYTHON_DECODED) {
		check_places(&found, code.n);
		if (!wp_python_instructions_alike(&found, &found))
			abort();
	} else if (found.all.n) {
		abort();
	}
	wp_python_instructions_deinit(&found);
	return 0;
}
