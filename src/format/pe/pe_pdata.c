/* SPDX-License-Identifier: BSD-3-Clause */
/* pe_pdata: see pe_pdata.h. */
#include "format/pe/pe_pdata.h"

#define MAX_FUNCTIONS (16u << 20)
#define MAX_CHAIN     32 /* entries that lead to each other */
#define FLAG_CHAIN    4

struct wp_bytes wp_pe_pdata_bytes(const struct wp_pe_pdata *pdata, uint64_t rva)
{
	size_t n = 0;
	const uint8_t *bytes = wp_pe_image_bytes(pdata->image, pdata->file, rva, &n);

	return wp_bytes_of(bytes, bytes ? n : 0);
}

struct wp_pe_pdata wp_pe_pdata_of(const struct wp_pe_image *image, const struct wp_pe_file *file)
{
	struct wp_pe_pdata pdata = {.image = image, .file = file};
	const struct wp_pe_dir *dir = &image->dirs[WP_PE_EXCEPTIONS];
	struct wp_bytes b = wp_pe_pdata_bytes(&pdata, dir->rva);

	if (image->machine == WP_PE_MACHINE_AMD64)
		pdata.entry_bytes = 12;
	else if (image->machine == WP_PE_MACHINE_ARM64)
		pdata.entry_bytes = 8;
	if (!dir->rva || !pdata.entry_bytes)
		return pdata;
	pdata.entries = b.data;
	pdata.n = (dir->size < b.size ? dir->size : b.size) / pdata.entry_bytes;
	if (pdata.n > MAX_FUNCTIONS)
		pdata.n = MAX_FUNCTIONS;
	return pdata;
}

/* ARM64: a count of instructions, in the packed word or in the header that it leads to. */
static uint32_t arm_bytes(const struct wp_pe_pdata *pdata, uint32_t unwind)
{
	struct wp_bytes b;

	if (unwind & 3)
		return (unwind >> 2 & 0x7ff) * 4;
	b = wp_pe_pdata_bytes(pdata, unwind);
	return (wp_bytes_u32(&b) & 0x3ffff) * 4;
}

struct wp_pe_function wp_pe_pdata_get(const struct wp_pe_pdata *pdata, size_t i)
{
	struct wp_bytes b =
		wp_bytes_of(pdata->entries + i * pdata->entry_bytes, pdata->entry_bytes);
	struct wp_pe_function function = {.start = wp_bytes_u32(&b)};
	uint32_t bytes;

	if (pdata->entry_bytes == 12) {
		function.end = wp_bytes_u32(&b);
		function.unwind = wp_bytes_u32(&b);
		return function;
	}
	function.unwind = wp_bytes_u32(&b);
	bytes = arm_bytes(pdata, function.unwind);
	if (bytes && bytes <= UINT32_MAX - function.start)
		function.end = function.start + bytes;
	return function;
}

/* UNWIND_INFO: version and flags, two bytes, a number of codes; behind these the other entry. */
static bool read_chained(const struct wp_pe_pdata *pdata, struct wp_pe_function *entry)
{
	/* An odd address is that of an entry that has the information. */
	bool other = entry->unwind & 1;
	struct wp_bytes b =
		wp_pe_pdata_bytes(pdata, other ? (entry->unwind & ~1u) + 8ull : entry->unwind);
	uint8_t flags, codes;

	if (other)
		b = wp_pe_pdata_bytes(pdata, wp_bytes_u32(&b));
	flags = wp_bytes_u8(&b) >> 3;
	wp_bytes_skip(&b, 1);
	codes = wp_bytes_u8(&b);
	if (b.failed || !(flags & FLAG_CHAIN))
		return false;
	wp_bytes_skip(&b, 1 + (codes + (codes & 1u)) * 2);
	entry->start = wp_bytes_u32(&b);
	entry->end = wp_bytes_u32(&b);
	entry->unwind = wp_bytes_u32(&b);
	return !b.failed;
}

uint32_t wp_pe_pdata_first(const struct wp_pe_pdata *pdata, const struct wp_pe_function *entry)
{
	struct wp_pe_function at = *entry;
	uint32_t first = at.start;

	for (int i = 0; i < MAX_CHAIN && pdata->entry_bytes == 12 && read_chained(pdata, &at); i++)
		first = at.start;
	return first;
}

bool wp_pe_pdata_find(const struct wp_pe_pdata *pdata, uint32_t start, struct wp_pe_function *ret)
{
	size_t lo = 0, hi = pdata->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		struct wp_pe_function function = wp_pe_pdata_get(pdata, mid);

		if (function.start == start) {
			*ret = function;
			return true;
		}
		if (function.start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}
