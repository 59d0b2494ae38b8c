/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_code_frames: bytes as x86-64 code; the first says whether it is one function. */
#include "format/unwind/code_frames.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wp_code_frames *frames;
	struct wp_unwind_rows rows = {.base = 0x1000};

	if (!frames)
		frames = wp_code_frames_new();
	if (!size || !frames)
		return 0;
	wp_code_frames_add(frames, data + 1, size - 1, 0x1004, data[0] & 1, &rows);
	for (size_t i = 1; i < rows.rows.n; i++)
		if (rows.rows.v[i].pc <= rows.rows.v[i - 1].pc)
			abort();
	wp_unwind_rows_deinit(&rows);
	return 0;
}
