/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_dwarf: the DWARF of a file: lines, inlined functions and where they were called, at
 * addresses all over the code of the seeds (0x2000 to 0x2100). libdw's, behind our bounds.
 */
#include "resolve/lines/inlines.h"

#include "scratch.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void use(const char *text)
{
	sink += text ? strlen(text) : 0;
}

static void ask(struct wp_srclines *lines, struct wp_inlines *inlines, struct wp_rva rva)
{
	struct wp_inline calls[WP_INLINES_MAX];
	const char *file = NULL;
	uint32_t line;
	size_t n = wp_inlines_find(inlines, rva, true, calls);

	if (n > WP_INLINES_MAX)
		abort();
	for (size_t i = 0; i < n; i++) {
		use(calls[i].name);
		use(calls[i].call_file);
	}
	sink += wp_inlines_function_line(inlines, rva);
	if (wp_srclines_find(lines, rva, &file, &line) && !file)
		abort();
	use(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_srclines *lines = wp_srclines_open(scratch_file(data, size), 0, NULL);
	struct wp_inlines *inlines;

	if (!lines)
		return 0;
	inlines = wp_inlines_new(lines);
	for (uint64_t rva = 0x2000; rva < 0x2100; rva += 8)
		ask(lines, inlines, (struct wp_rva){rva});
	ask(lines, inlines, (struct wp_rva){UINT64_MAX});
	wp_inlines_free(inlines);
	wp_srclines_free(lines);
	return 0;
}
