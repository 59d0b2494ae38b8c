/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_stats: what samples say of accesses, on Intel, AMD and Arm; percentiles against their
 * definition. */
#include "aggregate/mem_stats.h"

#include "core/data_src.h"
#include "check.h"

static struct wp_mem_access access_of(uint64_t src)
{
	struct wp_sample_data data = {.has = WP_DATA_SRC, .src = src};
	struct wp_mem_access ret;

	CHECK(wp_mem_access_read(&data, &ret));
	return ret;
}

#define LOAD(level, tlb) access_of(WP_SRC_OP(WP_OP_LOAD) | WP_SRC_LEVEL(level) | WP_SRC_TLB(tlb))

static void test_levels(void)
{
	static const struct {
		unsigned int level;
		enum wp_mem_level want;
	} rows[] = {
		{WP_LEVEL_L1 | WP_LEVEL_HIT, WP_MEM_L1},
		{WP_LEVEL_L1 | WP_LEVEL_MISS, WP_MEM_OTHER},
		{WP_LEVEL_BUFFER | WP_LEVEL_HIT, WP_MEM_LFB},
		{WP_LEVEL_L2 | WP_LEVEL_HIT, WP_MEM_L2},
		{WP_LEVEL_L3 | WP_LEVEL_HIT, WP_MEM_L3},
		{WP_LEVEL_L3 | WP_LEVEL_MISS, WP_MEM_OTHER},
		{WP_LEVEL_RAM | WP_LEVEL_MISS, WP_MEM_RAM},
		{WP_LEVEL_REMOTE_CACHE1 | WP_LEVEL_HIT, WP_MEM_L3},
		{WP_LEVEL_REMOTE_RAM2 | WP_LEVEL_HIT, WP_MEM_RAM},
		{WP_LEVEL_NA, WP_MEM_OTHER},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(rows); i++)
		CHECK_U64(LOAD(rows[i].level, 0).level, rows[i].want);
	CHECK(LOAD(WP_LEVEL_REMOTE_RAM1 | WP_LEVEL_HIT, 0).remote);
	CHECK_U64(access_of(WP_SRC_OP(WP_OP_LOAD) | WP_SRC_LEVEL(WP_LEVEL_NA) |
			    WP_SRC_NUMBER(WP_NUMBER_L4))
			  .level,
		  WP_MEM_L3);
	CHECK_U64(access_of(WP_SRC_OP(WP_OP_STORE) | WP_SRC_LEVEL(WP_LEVEL_L1 | WP_LEVEL_MISS) |
			    WP_SRC_NUMBER(WP_NUMBER_L1))
			  .level,
		  WP_MEM_OTHER);
}

static void test_walks(void)
{
	CHECK(!LOAD(0, WP_TLB_HIT | WP_TLB_L1 | WP_TLB_L2).walk);
	CHECK(LOAD(0, WP_TLB_MISS | WP_TLB_L2).walk);
	CHECK(!LOAD(0, WP_TLB_MISS | WP_TLB_L1).walk);
	CHECK(LOAD(0, WP_TLB_MISS).walk);
	CHECK(LOAD(0, WP_TLB_WALKER | WP_TLB_MISS).walk);
	CHECK(!LOAD(0, WP_TLB_WALKER | WP_TLB_HIT).walk);
	CHECK(!LOAD(0, WP_TLB_NA).walk);
}

static void test_others(void)
{
	struct wp_sample_data page = {.has = WP_DATA_ADDR, .addr = 0x1000};
	struct wp_sample_data fault = {
		.has = WP_DATA_ADDR | WP_DATA_SRC, .addr = 0x1000, .src = WP_SRC_OP(WP_OP_NA)};
	struct wp_sample_data none = {.has = WP_DATA_ADDR};
	struct wp_sample_data branch = {.has = WP_DATA_ADDR | WP_DATA_OPERATION, .addr = 0x1000};
	struct wp_sample_data exec = {.has = WP_DATA_SRC, .src = WP_SRC_OP(WP_OP_EXEC)};
	struct wp_mem_access access;

	CHECK(wp_mem_access_read(&page, &access) && !access.has_source);
	CHECK(wp_mem_access_read(&fault, &access) && !access.has_source);
	CHECK(!wp_mem_access_read(&none, &access));
	CHECK(!wp_mem_access_read(&branch, &access));
	CHECK(!wp_mem_access_read(&exec, &access));
	CHECK(!wp_mem_access_read(NULL, &access));
}

/* Row 0 has 1 to 1000 backwards, row 1 one large latency and a sample without. */
static void test_percentiles(void)
{
	struct wp_mem_stats stats = {0};
	struct wp_mem_access access = {.has_source = true, .load = true};
	struct wp_mem_percentiles *at;
	uint64_t powers[65] = {0};

	for (uint64_t i = 1000; i > 0; i--) {
		access.latency = i;
		wp_mem_stats_add(&stats, 0, &access, 2, (uint32_t)(i % 3));
	}
	access.latency = 1000003;
	wp_mem_stats_add(&stats, 1, &access, 1, 7);
	access.latency = 0;
	wp_mem_stats_add(&stats, 1, &access, 1, 7);
	at = wp_mem_stats_percentiles(&stats);
	CHECK_U64(at[0].p50, 500);
	CHECK_U64(at[0].p90, 900);
	CHECK_U64(at[0].p99, 990);
	CHECK(at[1].p50 <= 1000003 && at[1].p50 > 1000003 - 1000003 / 4096);
	CHECK_U64(at[1].p99, at[1].p50);
	CHECK_U64(stats.rows.v[0].threads, 3);
	CHECK_U64(stats.rows.v[0].weight, 2000);
	CHECK_U64(stats.rows.v[1].threads, 1);
	CHECK_U64(stats.rows.v[1].samples, 2);
	CHECK_U64(stats.rows.v[1].measured, 1);
	CHECK_U64(stats.rows.v[1].latency_max, 1000003);
	wp_mem_stats_powers(&stats, 0, powers);
	CHECK_U64(powers[1], 1);
	CHECK_U64(powers[9], 256);
	CHECK_U64(powers[20], 0);
	free(at);
	wp_mem_stats_deinit(&stats);
}

int main(void)
{
	RUN(test_levels);
	RUN(test_walks);
	RUN(test_others);
	RUN(test_percentiles);
	return check_done();
}
