/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_lines: see sort_lines.h. */
#include "session/recorded/sort_lines.h"

#include "base/keyed.h"
#include "resolve/resolver.h"

#define RVA_BITS 44 /* of an address beside its module's number in one key */

uint32_t wp_sort_line_index(struct wp_report_lines *lines, uint32_t of, uint32_t line)
{
	const struct wp_report_line *found =
		wp_keyed_put(&lines->all, &lines->index_of, (uint64_t)of << 32 | line,
			     (struct wp_report_line){of, line});

	return (uint32_t)(found - lines->all.v);
}

uint32_t wp_sort_line_in(struct wp_report_sort *sort, const char *file, uint32_t line)
{
	return wp_sort_line_index(&sort->lines, wp_strpool_id(&sort->strings, file), line);
}

static uint32_t find_sorted_line(struct wp_report_sort *sort, uint32_t module, struct wp_rva rva)
{
	struct wp_resolver_line line;

	if (module == WP_NO_MODULE || !wp_resolver_line(sort->of.resolver, module, rva, &line) ||
	    !line.file)
		return WP_SORT_NONE;
	return wp_sort_line_in(sort, line.file, line.line);
}

/* Of an address once, since line tables are slow to ask. */
uint32_t wp_sort_line_at(struct wp_report_sort *sort, uint32_t module, struct wp_rva rva)
{
	uint64_t *line;

	if (rva.v >> RVA_BITS || module >> (64 - RVA_BITS)) /* two of them might have one key */
		return find_sorted_line(sort, module, rva);
	line = wp_map_put(&sort->line_at, rva.v | (uint64_t)module << RVA_BITS);
	if (!*line)
		*line = find_sorted_line(sort, module, rva) + UINT64_C(1);
	return (uint32_t)(*line - 1);
}
