/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_cfi: a section of call frame information; the first byte says of what machine and kind. */
#include "format/unwind/cfi.h"

#include <elf.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sorted(const struct wp_unwind_rows *rows)
{
	for (size_t i = 1; i < rows->rows.n; i++)
		if (rows->rows.v[i].pc <= rows->rows.v[i - 1].pc)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_unwind_rows rows = {.base = 0x1000}, others = {.base = 0x1000};
	struct wp_unwind_rule rule = {.cfa = WP_UNWIND_END};
	struct wp_cfi_stats stats = {0};
	struct wp_cfi_extents extents = {0};
	uint64_t addr;

	if (!size)
		return 0;
	struct wp_cfi_section section = {
		.data = data + 1,
		.size = size - 1,
		.addr = 0x4000,
		.eh = data[0] & 1,
		.shift = data[0] & 4 ? 0x100 : 0,
		.text_base = 0x1000,
		.got_base = 0x8000,
	};
	wp_cfi_compile(data[0] & 4   ? EM_386
		       : data[0] & 2 ? EM_AARCH64
				     : EM_X86_64,
		       &section, &rows, &stats);
	check_sorted(&rows);
	section.eh = !section.eh;
	wp_cfi_compile(EM_X86_64, &section, &others, &stats);
	wp_unwind_rows_fill(&rows, &others);
	wp_unwind_rows_lay(&rows, 0x1000 + data[0], 0x1100, rule, true);
	wp_unwind_rows_lay(&rows, 0, 0x1000 + data[0], rule, false);
	check_sorted(&rows);
	wp_unwind_rule_find(rows.rows.v, rows.rows.n, data[0]);
	wp_cfi_extents_read(EM_AARCH64, &section, 0x1000, &extents);
	wp_cfi_eh_frame_of(section.data, section.size, 0x4000, &addr);
	wp_vec_deinit(&extents.v);
	wp_unwind_rows_deinit(&others);
	wp_unwind_rows_deinit(&rows);
	return 0;
}
