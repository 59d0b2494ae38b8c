/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_branch: see sort_branch.h. */
#include "session/recorded/sort_branch.h"

#include "resolve/resolver.h"
#include "session/recorded/sort_lines.h"

#include <inttypes.h>
#include <stdio.h>

/* Addresses of the kernel have their highest bit set, on x86 and Arm. */
static struct wp_sort_end find_branch_end(struct wp_report_sort *sort,
					  const struct wp_record *sample, uint64_t address)
{
	struct wp_sort_end ret;

	ret.symbol = wp_resolver_symbol_at(sort->of.resolver, sample, (struct wp_va){address},
					   address >> 63 ? WP_MODE_KERNEL : WP_MODE_USER, &ret.rva);
	return ret;
}

void wp_sort_branch_find(struct wp_report_sort *sort, struct wp_sort_at *at)
{
	at->from = find_branch_end(sort, at->sample, at->branch->from);
	at->to = find_branch_end(sort, at->sample, at->branch->to);
}

static uint32_t end_module(struct wp_report_sort *sort, const struct wp_sort_end *end)
{
	return wp_resolver_symbol_of(sort->of.resolver, end->symbol)->module;
}

static uint32_t end_line(struct wp_report_sort *sort, const struct wp_sort_end *end)
{
	return wp_sort_line_at(sort, end_module(sort, end), end->rva);
}

static uint32_t end_address(struct wp_report_sort *sort, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	return wp_strpool_id(&sort->strings, text);
}

/* perf's letters for what a flag says. */
static uint32_t flag_text(struct wp_report_sort *sort, bool set, const char *yes, const char *no)
{
	return wp_strpool_id(&sort->strings, set ? yes : no);
}

uint32_t wp_sort_branch_symbol_from(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->from.symbol;
}

uint32_t wp_sort_branch_module_from(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return end_module(sort, &at->from);
}

uint32_t wp_sort_branch_line_from(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return end_line(sort, &at->from);
}

uint32_t wp_sort_branch_address_from(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return end_address(sort, at->branch->from);
}

uint32_t wp_sort_branch_symbol_to(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->to.symbol;
}

uint32_t wp_sort_branch_module_to(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return end_module(sort, &at->to);
}

uint32_t wp_sort_branch_line_to(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return end_line(sort, &at->to);
}

uint32_t wp_sort_branch_address_to(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return end_address(sort, at->branch->to);
}

/* Some CPUs say neither. */
uint32_t wp_sort_branch_mispredict(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	if (at->branch->flags & WP_BRANCH_PREDICTED)
		return wp_strpool_id(&sort->strings, "N");
	return at->branch->flags & WP_BRANCH_MISPREDICTED ? wp_strpool_id(&sort->strings, "Y")
							  : WP_SORT_NONE;
}

uint32_t wp_sort_branch_in_tx(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return flag_text(sort, at->branch->flags & WP_BRANCH_IN_TX, "T", ".");
}

uint32_t wp_sort_branch_abort(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return flag_text(sort, at->branch->flags & WP_BRANCH_ABORT, "A", ".");
}

uint32_t wp_sort_branch_cycles(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	uint32_t cycles = wp_branch_cycles(at->branch);
	char text[16];

	if (!cycles)
		return WP_SORT_NONE;
	snprintf(text, sizeof(text), "%" PRIu32, cycles);
	return wp_strpool_id(&sort->strings, text);
}
