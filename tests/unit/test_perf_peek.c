/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_peek: what pinned readers look at of a record, of samples with everything in between. */
#include "format/perf/perf_peek.h"

#include "check.h"

#define WHO                                                                   \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | \
	 WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD)

static const struct wp_perf_layout layout = {
	.sample_type = WHO | WP_PERF_SAMPLE_READ | WP_PERF_SAMPLE_CALLCHAIN | WP_PERF_SAMPLE_RAW |
		       WP_PERF_SAMPLE_REGS_USER,
	.sample_id_all = true,
	.regs = {.mask = 3 << 7 | 1},
	.read_format = WP_PERF_READ_GROUP | WP_PERF_READ_ID,
};

#define WORDS 21
#define BYTES (WORDS * sizeof(uint64_t))

static const uint64_t sample[WORDS] = {
	9 | 2ull << 32 | BYTES << 48,
	42,
	0x401000,
	7 | 8ull << 32,
	1000,
	3,
	1, /* identifier ip who time cpu period */
	2,
	100,
	42,
	200,
	43, /* a group of two */
	2,
	(uint64_t)-512,
	0x401000, /* chain */
	12 | 0x11223344ull << 32,
	5, /* raw: 12 bytes */
	2,
	0xa,
	0x7000,
	0x401000, /* registers: ax sp ip */
};

static void test_registers_behind_raw(void)
{
	struct wp_perf_peek peek;

	CHECK(wp_perf_peek(&layout, sample, BYTES, &peek));
	CHECK_U64(peek.kind, WP_PERF_PEEK_SAMPLE);
	CHECK_U64(peek.pid, 7);
	CHECK_U64(peek.tid, 8);
	CHECK_U64(peek.time_ns, 1000);
	CHECK_U64(peek.user.sp, 0x7000);
	CHECK_U64(peek.user.ip, 0x401000);
	CHECK_U64(peek.user.n, 1);
	CHECK_U64(peek.user.others[0], 0xa);
}

/* Wherever it ends, or whatever it says of its lengths: who it is of stands in its head. */
static void test_damaged(void)
{
	struct wp_perf_peek peek;
	uint64_t words[WORDS];

	for (size_t n = 5; n < 21; n++) {
		CHECK(wp_perf_peek(&layout, sample, n * 8, &peek));
		CHECK_U64(peek.kind, WP_PERF_PEEK_SAMPLE);
		CHECK(!peek.user.sp && !peek.user.ip && !peek.user.n);
	}
	for (size_t i = 7; i <= 15; i += i == 7 ? 5 : 3) { /* group, chain, RAW */
		memcpy(words, sample, BYTES);
		words[i] |= UINT32_MAX;
		CHECK(wp_perf_peek(&layout, words, BYTES, &peek));
		CHECK(!peek.user.sp && peek.tid == 8);
	}
	CHECK(wp_perf_peek(&layout, sample, 32, &peek));
	CHECK_U64(peek.kind, WP_PERF_PEEK_OTHER);
	CHECK(!wp_perf_peek(&layout, sample, 7, &peek));
}

static void test_switches(void)
{
	const struct wp_perf_layout switches = {.sample_type = WHO, .sample_id_all = true};
	const uint64_t out[] = {14 | 1ull << 45 | 48ull << 48, 7 | 8ull << 32, 1000, 3, 42, 0};
	const uint64_t in[] = {15 | 56ull << 48, 5 | 6ull << 32, 7 | 8ull << 32, 1001, 3, 42, 0};
	struct wp_perf_peek peek;

	CHECK(wp_perf_peek(&switches, out, sizeof(out), &peek));
	CHECK(peek.kind == WP_PERF_PEEK_OUT && peek.tid == 8 && peek.time_ns == 1000);
	CHECK(wp_perf_peek(&switches, in, sizeof(in), &peek));
	CHECK(peek.kind == WP_PERF_PEEK_IN && peek.tid == 8 && peek.time_ns == 1001);
}

static void test_processes(void)
{
	const uint64_t fork[] = {7 | 24ull << 48, 7 | 5ull << 32, 8 | 5ull << 32};
	const uint64_t exec[] = {3 | 1ull << 45 | 24ull << 48, 7 | 7ull << 32, 0x61};
	const uint64_t name[] = {3 | 24ull << 48, 7 | 7ull << 32, 0x61};
	struct wp_perf_peek peek;

	CHECK(wp_perf_peek(&layout, fork, sizeof(fork), &peek));
	CHECK(peek.kind == WP_PERF_PEEK_FORK && peek.pid == 7 && peek.parent_pid == 5);
	CHECK(wp_perf_peek(&layout, exec, sizeof(exec), &peek));
	CHECK(peek.kind == WP_PERF_PEEK_EXEC && peek.pid == 7);
	CHECK(wp_perf_peek(&layout, name, sizeof(name), &peek));
	CHECK_U64(peek.kind, WP_PERF_PEEK_OTHER);
}

int main(void)
{
	RUN(test_registers_behind_raw);
	RUN(test_damaged);
	RUN(test_switches);
	RUN(test_processes);
	return check_done();
}
