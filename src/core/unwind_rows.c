/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_rows: see unwind_rows.h. */
#include "core/unwind_rows.h"

#include "base/invariant.h"

#include <string.h>

bool wp_unwind_rule_same(const struct wp_unwind_rule *a, const struct wp_unwind_rule *b)
{
	return a->cfa == b->cfa && a->flags == b->flags && a->cfa_off == b->cfa_off &&
	       a->ra_off == b->ra_off && a->fp_off == b->fp_off;
}

void wp_unwind_rows_append(struct wp_unwind_rows *rows, uint32_t pc, struct wp_unwind_rule rule)
{
	size_t n = rows->rows.n;

	wp_assert(!n || rows->rows.v[n - 1].pc <= pc);
	rule.pc = pc;
	if (n && rows->rows.v[n - 1].pc == pc)
		n = --rows->rows.n;
	if (n && wp_unwind_rule_same(&rows->rows.v[n - 1], &rule))
		return;
	wp_vec_push(&rows->rows, rule);
}

/* The number of rows that begin at or below pc. */
static size_t rows_upto(const struct wp_unwind_rule *rules, size_t n, uint64_t pc)
{
	size_t lo = 0;

	while (n) {
		size_t half = n / 2;

		if (rules[lo + half].pc <= pc) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

const struct wp_unwind_rule *wp_unwind_rule_find(const struct wp_unwind_rule *rules, size_t n,
						 uint64_t pc)
{
	size_t at = rows_upto(rules, n, pc);

	return at ? &rules[at - 1] : NULL;
}

static struct wp_unwind_rule copy_rule_at(const struct wp_unwind_rows *rows, uint64_t pc)
{
	const struct wp_unwind_rule *rule = wp_unwind_rule_find(rows->rows.v, rows->rows.n, pc);

	return rule ? *rule : (struct wp_unwind_rule){0};
}

/* Copies the rows in [from, to) of `in`, the first of them beginning at from. */
static void copy_rows(const struct wp_unwind_rows *in, uint64_t from, uint64_t to,
		      struct wp_unwind_rows *out)
{
	size_t i = rows_upto(in->rows.v, in->rows.n, from);

	wp_unwind_rows_append(out, (uint32_t)from, copy_rule_at(in, from));
	for (; i < in->rows.n && in->rows.v[i].pc < to; i++)
		wp_unwind_rows_append(out, in->rows.v[i].pc, in->rows.v[i]);
}

/* Copies a range, with the rule in the place of rows that say nothing. */
static void fill_rows_gap(const struct wp_unwind_rows *in, uint64_t from, uint64_t to,
			  const struct wp_unwind_rule *rule, struct wp_unwind_rows *out)
{
	size_t i = rows_upto(in->rows.v, in->rows.n, from);
	struct wp_unwind_rule now = copy_rule_at(in, from);

	wp_unwind_rows_append(out, (uint32_t)from, now.cfa == WP_UNWIND_NONE ? *rule : now);
	for (; i < in->rows.n && in->rows.v[i].pc < to; i++) {
		now = in->rows.v[i];
		wp_unwind_rows_append(out, now.pc, now.cfa == WP_UNWIND_NONE ? *rule : now);
	}
}

void wp_unwind_rows_lay(struct wp_unwind_rows *rows, uint64_t start, uint64_t end,
			struct wp_unwind_rule rule, bool only_gaps)
{
	struct wp_unwind_rows laid = {.base = rows->base};
	uint64_t from = start < rows->base ? 0 : start - rows->base;
	uint64_t to = end < rows->base ? 0 : end - rows->base;

	if (to > UINT32_MAX)
		to = UINT32_MAX;
	if (from >= to)
		return;
	if (from)
		copy_rows(rows, 0, from, &laid);
	if (only_gaps)
		fill_rows_gap(rows, from, to, &rule, &laid);
	else
		wp_unwind_rows_append(&laid, (uint32_t)from, rule);
	copy_rows(rows, to, (uint64_t)UINT32_MAX + 1, &laid);
	wp_unwind_rows_deinit(rows);
	*rows = laid;
}

void wp_unwind_rows_fill(struct wp_unwind_rows *rows, const struct wp_unwind_rows *others)
{
	struct wp_unwind_rows filled = {.base = rows->base};
	struct wp_unwind_rule mine = {0}, theirs = {0};
	size_t i = 0, j = 0;

	while (i < rows->rows.n || j < others->rows.n) {
		uint32_t a = i < rows->rows.n ? rows->rows.v[i].pc : UINT32_MAX;
		uint32_t b = j < others->rows.n ? others->rows.v[j].pc : UINT32_MAX;

		if (i < rows->rows.n && a <= b)
			mine = rows->rows.v[i++];
		if (j < others->rows.n && b <= a)
			theirs = others->rows.v[j++];
		/* A reason for having no rule stays one. */
		bool take =
			mine.cfa == WP_UNWIND_NONE && (theirs.cfa != WP_UNWIND_NONE || !mine.flags);
		wp_unwind_rows_append(&filled, a < b ? a : b, take ? theirs : mine);
	}
	wp_unwind_rows_deinit(rows);
	*rows = filled;
}

void wp_unwind_rows_deinit(struct wp_unwind_rows *rows)
{
	wp_vec_deinit(&rows->rows);
}
