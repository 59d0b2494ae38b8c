/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem_stats: what the accesses of each row of a table have come to: how many, who answered, and
 * how their latencies are distributed.
 *
 * Aggregate stage. A row is a small number of the caller's (wp_sorted_add()). Latencies are kept as
 * counts by value, so that percentiles are exact up to 65535 cycles (all that a counter of Arm SPE
 * can say) and within 1/4096 above.
 */
#ifndef WP_MEM_STATS_H
#define WP_MEM_STATS_H

#include "aggregate/mem_access.h"
#include "base/map.h"
#include "base/vec.h"

struct wp_mem_sums {
	uint64_t samples, weight; /* weight: what samples stand for, the event's periods */
	uint64_t loads, stores, levels[WP_MEM_LEVELS];
	uint64_t remote, snooped, walks;
	uint64_t measured, latency, latency_max; /* samples with a latency; sum and largest */
	uint64_t threads;
	uint32_t last_thread; /* + 1 */
};

/* All-zero is empty. */
struct wp_mem_stats {
	WP_VEC(struct wp_mem_sums) rows;
	struct wp_map latencies; /* row and latency -> samples */
	struct wp_map threads;	 /* row and thread -> 1 */
};

/* Of a row that may be new. Rows are kept by number: the caller has few, and none left out. */
void wp_mem_stats_add(struct wp_mem_stats *stats, uint32_t row, const struct wp_mem_access *access,
		      uint64_t weight, uint32_t thread);
void wp_mem_stats_deinit(struct wp_mem_stats *stats);

/* The smallest latency that at least so much of the samples has or is below; 0: none was measured.
 */
struct wp_mem_percentiles {
	uint64_t p50, p90, p99;
};

/* By row, as many as there are rows; the caller frees. */
struct wp_mem_percentiles *wp_mem_stats_percentiles(const struct wp_mem_stats *stats);
/* Adds a row's samples by how many bits their latency has. */
void wp_mem_stats_powers(const struct wp_mem_stats *stats, uint32_t row, uint64_t ret[65]);

#endif
