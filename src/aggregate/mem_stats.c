/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_stats: see mem_stats.h. */
#include "aggregate/mem_stats.h"

#include <stdlib.h>

#define EXACT_BITS 16 /* of a latency */
#define KEPT_BITS  12 /* behind the highest one, of a larger one */

/* A row and something of 32 bits or less. */
static uint64_t pair_row(uint32_t row, uint64_t with)
{
	return (uint64_t)row << 32 | with;
}

static unsigned int count_bits(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

static uint64_t round_latency(uint64_t latency)
{
	unsigned int bits = count_bits(latency);

	if (latency > UINT32_MAX)
		return UINT32_MAX; /* 4 billion cycles are no latency */
	return bits <= EXACT_BITS ? latency
				  : latency & ~((UINT64_C(1) << (bits - 1 - KEPT_BITS)) - 1);
}

static void count_thread(struct wp_mem_stats *stats, uint32_t row, uint32_t thread)
{
	struct wp_mem_sums *sums = &stats->rows.v[row];
	uint64_t *seen;

	if (sums->last_thread == thread + 1)
		return;
	sums->last_thread = thread + 1;
	seen = wp_map_put(&stats->threads, pair_row(row, thread));
	sums->threads += !*seen;
	*seen = 1;
}

void wp_mem_stats_add(struct wp_mem_stats *stats, uint32_t row, const struct wp_mem_access *access,
		      uint64_t weight, uint32_t thread)
{
	struct wp_mem_sums *sums;

	while (stats->rows.n <= row)
		wp_vec_push(&stats->rows, (struct wp_mem_sums){0});
	sums = &stats->rows.v[row];
	sums->samples++;
	sums->weight += weight;
	sums->loads += access->load;
	sums->stores += access->store;
	sums->levels[access->level] += access->has_source;
	sums->remote += access->remote;
	sums->snooped += access->snooped;
	sums->walks += access->walk;
	count_thread(stats, row, thread);
	if (!access->latency)
		return;
	sums->measured++;
	sums->latency += access->latency;
	if (access->latency > sums->latency_max)
		sums->latency_max = access->latency;
	++*wp_map_put(&stats->latencies, pair_row(row, round_latency(access->latency)));
}

void wp_mem_stats_deinit(struct wp_mem_stats *stats)
{
	wp_vec_deinit(&stats->rows);
	wp_map_deinit(&stats->latencies);
	wp_map_deinit(&stats->threads);
}

struct latency_count {
	uint64_t key, n;
};

static int compare_latency_counts(const void *a, const void *b)
{
	const struct latency_count *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* By row, then latency; *ret_n of them. */
static struct latency_count *sort_latencies(const struct wp_map *map, size_t *ret_n)
{
	struct latency_count *counts = wp_calloc(map->n + 1, sizeof(*counts));
	size_t n = 0;

	for (size_t i = 0; i < map->cap; i++)
		if (map->slots[i].used)
			counts[n++] =
				(struct latency_count){map->slots[i].key, map->slots[i].value};
	qsort(counts, n, sizeof(*counts), compare_latency_counts);
	*ret_n = n;
	return counts;
}

/* below: samples up to this latency, itself too; before: without it. */
static void take_percentile(uint64_t latency, uint64_t before, uint64_t below, uint64_t all,
			    unsigned int percent, uint64_t *ret)
{
	uint64_t rank = (all * percent + 99) / 100;

	if (before < rank && rank <= below)
		*ret = latency;
}

struct wp_mem_percentiles *wp_mem_stats_percentiles(const struct wp_mem_stats *stats)
{
	struct wp_mem_percentiles *ret = wp_calloc(stats->rows.n + 1, sizeof(*ret));
	size_t n;
	wp_autofree struct latency_count *counts = sort_latencies(&stats->latencies, &n);
	uint64_t before = 0, below;

	for (size_t i = 0; i < n; i++) {
		uint32_t row = (uint32_t)(counts[i].key >> 32);
		uint64_t latency = counts[i].key & UINT32_MAX, all = stats->rows.v[row].measured;

		before = i && counts[i - 1].key >> 32 == row ? before : 0;
		below = before + counts[i].n;
		take_percentile(latency, before, below, all, 50, &ret[row].p50);
		take_percentile(latency, before, below, all, 90, &ret[row].p90);
		take_percentile(latency, before, below, all, 99, &ret[row].p99);
		before = below;
	}
	return ret;
}

void wp_mem_stats_powers(const struct wp_mem_stats *stats, uint32_t row, uint64_t ret[65])
{
	const struct wp_map *map = &stats->latencies;

	for (size_t i = 0; i < map->cap; i++)
		if (map->slots[i].used && map->slots[i].key >> 32 == row)
			ret[count_bits(map->slots[i].key & UINT32_MAX)] += map->slots[i].value;
}
