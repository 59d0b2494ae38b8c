/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_index: see bpf_index.h. */
#include "source/bpf/bpf_index.h"

/* Rows that a bucket should have: a search is as long as their logarithm, and a bucket as large
 * as two thirds of a row. */
#define BUCKET_ROWS 8
#define SHIFT_MIN   5

static bool ordered(const struct wp_unwind_rule *rules, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (rules[i - 1].pc >= rules[i].pc)
			return false;
	return true;
}

static uint32_t choose_shift(uint64_t span, size_t n)
{
	uint32_t shift = SHIFT_MIN;

	while (shift < WP_WALK_SHIFT_MAX && (span >> shift) * BUCKET_ROWS > n)
		shift++;
	return shift;
}

/*
 * For each bucket the row in force at its start and those that begin inside it. The last bucket is
 * the one in which the last row begins: there is no rule behind it.
 */
static void fill_buckets(struct wp_bpf_index *index, const struct wp_unwind_rule *rules, size_t n)
{
	uint64_t count = ((uint64_t)rules[n - 1].pc >> index->shift) + 1;
	uint32_t next = 0; /* the first row at or behind the bucket's end */

	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = i << index->shift, end = start + (1ull << index->shift);
		uint32_t first = next;

		while (next < n && rules[next].pc < end)
			next++;
		if (first > 0 && (first == n || rules[first].pc > start))
			first--;
		wp_vec_push(&index->buckets, (struct wp_walk_bucket){first, next - first});
	}
}

static void split(struct wp_bpf_index *index)
{
	struct wp_bpf_part part = {0};

	for (uint32_t i = 0; i < index->buckets.n; i++) {
		const struct wp_walk_bucket *bucket = &index->buckets.v[i];
		uint32_t end = bucket->row + bucket->rows;

		if (part.n_buckets && end - part.first > WP_BPF_PART_ROWS) {
			wp_vec_push(&index->parts, part);
			part = (struct wp_bpf_part){.first = bucket->row, .first_bucket = i};
		}
		part.n = end - part.first;
		part.n_buckets++;
	}
	wp_vec_push(&index->parts, part);
}

bool wp_bpf_index_build(const struct wp_unwind_rule *rules, size_t n, struct wp_bpf_index *ret)
{
	if (!n || n > UINT32_MAX / 2 || !ordered(rules, n))
		return false;
	ret->shift = choose_shift((uint64_t)rules[n - 1].pc + 1, n);
	fill_buckets(ret, rules, n);
	split(ret);
	return true;
}

void wp_bpf_index_deinit(struct wp_bpf_index *index)
{
	wp_vec_deinit(&index->buckets);
	wp_vec_deinit(&index->parts);
}
