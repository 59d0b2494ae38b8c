/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_lines: {form u8, first line u32, table}: every form of line table. Marks must change
 * no answer.
 */
#include "base/bytes.h"
#include "format/python/python_lines.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ASKED 40

static void ask(const struct wp_python_lines *bare, const struct wp_python_lines *marked,
		int64_t lasti)
{
	if (wp_python_lines_at(bare, lasti) != wp_python_lines_at(marked, lasti))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes in = wp_bytes_of(data, size);
	struct wp_python_lines bare = {.form = wp_bytes_u8(&in) % 5}, marked;
	struct wp_arena arena = {0};

	bare.first_line = wp_bytes_u32(&in);
	bare.n = wp_bytes_left(&in);
	bare.bytes = wp_bytes_take(&in, bare.n);
	if (in.failed)
		return 0;
	marked = bare;
	wp_python_lines_index(&marked, &arena);
	uint64_t end = wp_python_lines_end(&bare);
	if (wp_python_lines_end(&marked) != end || end > bare.n * 255)
		abort();
	ask(&bare, &marked, -1);
	ask(&bare, &marked, INT64_MAX);
	for (uint64_t i = 0; i <= ASKED; i++)
		ask(&bare, &marked, (int64_t)(end * i / ASKED));
	for (size_t i = 0; i < marked.n_marks; i++) {
		ask(&bare, &marked, marked.marks[i].end);
		ask(&bare, &marked, (int64_t)marked.marks[i].end - 1);
	}
	wp_arena_deinit(&arena);
	return 0;
}
