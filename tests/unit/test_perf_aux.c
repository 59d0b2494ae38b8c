/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_aux: records around traces, of both versions; the clock; who runs. */
#include "format/perf/perf_aux.h"

#include "check.h"

static void test_info(void)
{
	const uint64_t old[] = {4, 9, 1};
	const uint64_t new[] = {4, 2,	       4, 9,	2, 0x1010101010101010, 0,
				4, 0x414fd0c1, 9, 1024, 0, 0x1010101010101010, 5,
				4, 0x410fd490, 9, 1024, 0};
	const uint64_t other[] = {1, 7, 7};
	struct wp_perf_aux_info info;
	uint64_t midr;

	CHECK(wp_perf_aux_info_read(wp_bytes_of(old, sizeof(old)), &info));
	CHECK(info.tracer == WP_PERF_AUX_ARM_SPE && info.pmu_type == 9);
	CHECK(!wp_perf_aux_info_midr(&info, 0, &midr));
	CHECK(wp_perf_aux_info_read(wp_bytes_of(new, sizeof(new)), &info));
	CHECK_U64(info.pmu_type, 9);
	CHECK(wp_perf_aux_info_midr(&info, 5, &midr) && midr == 0x410fd490);
	CHECK(!wp_perf_aux_info_midr(&info, 1, &midr));
	CHECK(wp_perf_aux_info_read(wp_bytes_of(other, sizeof(other)), &info) && info.tracer == 1);
	for (size_t n = 0; n < sizeof(new); n++) {
		if (wp_perf_aux_info_read(wp_bytes_of(new, n), &info))
			CHECK(!wp_perf_aux_info_midr(&info, 5, &midr) || n >= 16 * 8);
	}
}

static void test_clock(void)
{
	const uint64_t words[] = {4, 160, 1000, 0x100, 0xff, 0x0100};
	struct wp_perf_aux_clock clock;

	CHECK(!wp_perf_aux_clock_read(wp_bytes_of(words, 16), &clock));
	CHECK(wp_perf_aux_clock_read(wp_bytes_of(words, 24), &clock) && !clock.is_short);
	CHECK_U64(wp_perf_aux_clock_ns(&clock, 37), 1370);
	CHECK(wp_perf_aux_clock_read(wp_bytes_of(words, sizeof(words)), &clock) && clock.is_short);
	CHECK_U64(wp_perf_aux_clock_ns(&clock, 5), 1000 + 10 * 0x105);
}

static void test_who_runs(void)
{
	const uint64_t switch_out[] = {15 | 1ull << 45 | 16ull << 48, 5 | 6ull << 32};
	const uint64_t wide_in[] = {15 | 16ull << 48, 5 | 6ull << 32};
	const uint64_t own_in[] = {14 | 8ull << 48}, own_out[] = {14 | 1ull << 45 | 8ull << 48};
	const uint64_t start[] = {12 | 16ull << 48, 1 | 2ull << 32};
	struct wp_record ids = {.pid = 7, .tid = 8};

	CHECK(wp_perf_aux_runs(own_in, 8, &ids) && ids.tid == 8);
	CHECK(!wp_perf_aux_runs(own_out, 8, &ids));
	CHECK(wp_perf_aux_runs(wide_in, 16, &ids) && ids.tid == 8);
	CHECK(wp_perf_aux_runs(switch_out, 16, &ids) && ids.pid == 5 && ids.tid == 6);
	CHECK(wp_perf_aux_runs(start, 16, &ids) && ids.pid == 1 && ids.tid == 2);
	CHECK(!wp_perf_aux_runs(start, 12, &ids));
}

static void test_ids(void)
{
	const struct wp_perf_layout layout = {
		.sample_type = WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CPU,
		.sample_id_all = true,
	};
	const uint64_t words[] = {11 | 56ull << 48, 64, 128, 1, 7 | 8ull << 32, 1000, 3};
	struct wp_perf_aux aux;
	struct wp_record ids;

	CHECK(wp_perf_aux_read(wp_bytes_of(words + 1, 48), &aux));
	CHECK(aux.offset == 64 && aux.size == 128 && aux.flags == WP_PERF_AUX_TRUNCATED);
	CHECK(!wp_perf_aux_read(wp_bytes_of(words + 1, 23), &aux));
	CHECK(wp_perf_record_ids(&layout, words, sizeof(words), &ids));
	CHECK(ids.pid == 7 && ids.tid == 8 && ids.time_ns == 1000 && ids.cpu == 3);
	CHECK(!wp_perf_record_ids(&layout, words, 24, &ids));
}

int main(void)
{
	RUN(test_info);
	RUN(test_clock);
	RUN(test_who_runs);
	RUN(test_ids);
	return check_done();
}
