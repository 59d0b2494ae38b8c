/* SPDX-License-Identifier: BSD-3-Clause */
/* pe_unwind: see pe_unwind.h. */
#include "format/pe/pe_unwind.h"

/* Functions without unwind information have left the stack as it was. */
static struct wp_unwind_rule leaf_rule(const struct wp_pe_image *image)
{
	struct wp_unwind_rule rule = {.cfa = WP_UNWIND_SP};

	if (image->machine == WP_PE_MACHINE_AMD64) {
		rule.flags = WP_UNWIND_RA_SAVED;
		rule.cfa_off = 1;
		rule.ra_off = -1;
	}
	return rule;
}

void wp_pe_unwind_append(struct wp_unwind_rows *rows, uint32_t pc, struct wp_unwind_rule rule)
{
	if (!rows->rows.n || pc >= rows->rows.v[rows->rows.n - 1].pc)
		wp_unwind_rows_append(rows, pc, rule);
}

static void compile_function(const struct wp_pe_pdata *pdata, const struct wp_pe_function *function,
			     struct wp_unwind_rows *rows)
{
	if (pdata->image->machine == WP_PE_MACHINE_AMD64)
		wp_pe_unwind_x64(pdata, function, rows);
	else
		wp_pe_unwind_arm64(pdata, function, rows);
}

/* The first code section that ends behind an address. */
static const struct wp_pe_section *code_at(const struct wp_pe_image *image, uint32_t rva)
{
	wp_vec_each (struct wp_pe_section, section, &image->sections)
		if (section->flags & WP_PE_CODE && section->rva + section->size > rva)
			return section;
	return NULL;
}

/* Code from one function's end to the next one's start, or to the end of all. */
static void fill_leaf(const struct wp_pe_image *image, uint32_t from, uint32_t to,
		      struct wp_unwind_rows *rows)
{
	const struct wp_pe_section *section;

	while (from < to && (section = code_at(image, from)) && section->rva < to) {
		uint32_t start = section->rva > from ? section->rva : from;
		uint32_t end = section->rva + section->size;

		wp_unwind_rows_append(rows, start, leaf_rule(image));
		if (end < to)
			wp_unwind_rows_append(rows, end, (struct wp_unwind_rule){0});
		from = end;
	}
}

void wp_pe_unwind_compile(const struct wp_pe_image *image, const struct wp_pe_file *file,
			  struct wp_unwind_rows *rows)
{
	struct wp_pe_pdata pdata = wp_pe_pdata_of(image, file);
	uint32_t reached = 0;

	rows->base = image->base;
	if (!pdata.entry_bytes)
		return;
	/* No row without a byte of code: entries that share their information cost no more. */
	for (size_t i = 0; i < pdata.n && rows->rows.n <= file->size; i++) {
		struct wp_pe_function function = wp_pe_pdata_get(&pdata, i);

		if (function.start < reached || function.end <= function.start)
			continue; /* out of order, or empty: an entry that the linker left over */
		fill_leaf(image, reached, function.start, rows);
		compile_function(&pdata, &function, rows);
		reached = function.end;
	}
	fill_leaf(image, reached, UINT32_MAX, rows);
}
