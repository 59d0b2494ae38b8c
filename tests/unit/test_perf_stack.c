/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_stack: chains, registers and copies of a stack written by hand, whole and wrong. */
#include "format/perf/perf_record.h"

#include "check.h"

#define CHAIN WP_PERF_SAMPLE_CALLCHAIN
#define REGS  WP_PERF_SAMPLE_REGS_USER
#define STACK WP_PERF_SAMPLE_STACK_USER

static struct wp_perf_stack stack;
static const struct wp_perf_regs x86 = {false, WP_PERF_REGS_X86_64};
static const struct wp_perf_regs arm = {true, WP_PERF_REGS_ARM64};

static bool read_words(uint64_t type, const struct wp_perf_regs *regs, const uint64_t *words,
		       size_t n)
{
	static uint64_t record[64]; /* outlives the call: what was read points into it */
	struct wp_bytes b = wp_bytes_of(record, n * 8);

	memcpy(record, words, n * 8);
	return wp_perf_stack_read(type, regs, &b, &stack);
}

#define READ(type, regs, ...)                             \
	read_words(type, regs, (uint64_t[]){__VA_ARGS__}, \
		   sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void test_chain(void)
{
	CHECK(READ(CHAIN, &x86, 6, (uint64_t)-128, 0xf1, 0xf2, (uint64_t)-512, 0x11, 0x12));
	CHECK_U64(stack.raw.n_kernel, 2);
	CHECK_U64(stack.raw.kernel_ips[1], 0xf2);
	CHECK_U64(stack.raw.n_user, 2);
	CHECK_U64(stack.raw.user_ips[0], 0x11);
	CHECK(!stack.raw.regs && !stack.raw.dump && !stack.chain_moved);
	CHECK(READ(CHAIN, &x86, 3, (uint64_t)-512, 0x11, 0x12));
	CHECK(stack.raw.n_kernel == 0 && stack.raw.n_user == 2 && stack.raw.user_ips[1] == 0x12);
	CHECK(!stack.chain_moved);
	/* in several pieces: together they lie elsewhere */
	CHECK(READ(CHAIN, &x86, 5, (uint64_t)-512, 0x11, (uint64_t)-2560, (uint64_t)-512, 0x12));
	CHECK(stack.chain_moved && stack.raw.n_user == 2);
	CHECK(stack.raw.user_ips[0] == 0x11 && stack.raw.user_ips[1] == 0x12);
	CHECK(READ(CHAIN, &x86, 0));
	CHECK_U64(stack.raw.n_kernel + stack.raw.n_user, 0);
	/* what no context owns belongs to nobody; guests are not ours */
	CHECK(READ(CHAIN, &x86, 3, 0x11, (uint64_t)-2560, 0x12));
	CHECK_U64(stack.raw.n_kernel + stack.raw.n_user, 0);
	CHECK(!READ(CHAIN, &x86, 3, (uint64_t)-512, 0x11));
	CHECK(!READ(CHAIN, &x86, UINT64_MAX, 1));
}

static void test_registers(void)
{
	/* ax bx cx dx si di bp sp ip r8 ... r15 */
	CHECK(READ(REGS, &x86, 2, 0xa, 0xb, 0xc, 0xd, 0x51, 0xd1, 0xb9, 0x59, 0x1b, 8, 9, 10, 11,
		   12, 13, 14, 15));
	CHECK(stack.raw.regs);
	CHECK_U64(stack.regs.valid, 0x1ffff);
	CHECK_U64(stack.regs.r[1], 0xd);
	CHECK_U64(stack.regs.r[3], 0xb);
	CHECK_U64(stack.regs.r[6], 0xb9);
	CHECK_U64(stack.regs.r[7], 0x59);
	CHECK_U64(stack.regs.r[8], 8);
	CHECK_U64(stack.regs.r[15], 15);
	CHECK_U64(stack.regs.r[16], 0x1b);
	CHECK(READ(REGS, &x86, 0));
	CHECK(!stack.raw.regs);
	/* 32-bit code has the lower registers, under other numbers */
	CHECK(READ(REGS, &x86, 1, 0xa, 0xb, 0xc, 0xd, 0x51, 0xd1, 0xb9, 0x59, 0x1b, 8, 9, 10, 11,
		   12, 13, 14, 15));
	CHECK(stack.raw.regs && stack.regs.x86);
	CHECK_U64(stack.regs.valid, 0x1ff);
	CHECK_U64(stack.regs.r[2], 0xd);
	CHECK_U64(stack.regs.r[4], 0x59);
	CHECK_U64(stack.regs.r[5], 0xb9);
	CHECK_U64(stack.regs.r[8], 0x1b);
	CHECK(!READ(REGS, &x86, 2, 1, 2));
}

static void test_arm_registers(void)
{
	uint64_t words[34] = {2};

	for (uint64_t i = 0; i < 33; i++)
		words[i + 1] = 100 + i;
	CHECK(read_words(REGS, &arm, words, 34));
	CHECK_U64(stack.regs.valid, WP_PERF_REGS_ARM64);
	CHECK_U64(stack.regs.r[29], 129);
	CHECK_U64(stack.regs.r[32], 132);
	words[0] = 1; /* a 32-bit program */
	CHECK(read_words(REGS, &arm, words, 34));
	CHECK(!stack.regs.x86);
	CHECK(!stack.raw.regs);
}

static void test_copy(void)
{
	const struct wp_perf_regs one = {false, 1 << 7};

	CHECK(READ(REGS | STACK, &one, 2, 0x7000, 16, 0x1, 0x2, 8));
	CHECK_U64(stack.regs.r[7], 0x7000);
	CHECK_U64(stack.raw.dump_bytes, 8);
	CHECK_U64(stack.raw.dump[0], 1);
	CHECK(READ(REGS | STACK, &one, 0, 0));
	CHECK(!stack.raw.dump);
	CHECK(READ(REGS | STACK, &one, 1, 0x7000, 8, 0x1, 8)); /* 32 bits */
	CHECK(stack.raw.dump && stack.regs.x86 && stack.regs.r[4] == 0x7000);
	CHECK(!READ(REGS | STACK, &one, 2, 0x7000, 16, 0x1, 0x2, 24));
	CHECK(!READ(REGS | STACK, &one, 2, 0x7000, 16, 0x1));
	CHECK(!READ(REGS | STACK, &one, 2, 0x7000, UINT64_MAX, 0x1, 8));
}

static void test_in_between(void)
{
	const struct wp_perf_regs one = {false, 1};
	uint64_t raw = CHAIN | WP_PERF_SAMPLE_RAW | REGS;

	CHECK(READ(raw, &one, 2, (uint64_t)-512, 0x11, 12 | 1ull << 32, 2, 2, 0x77));
	CHECK_U64(stack.raw.n_user, 1);
	CHECK_U64(stack.regs.r[0], 0x77);
	CHECK(!READ(CHAIN | WP_PERF_SAMPLE_RAW, &one, 2, (uint64_t)-512, 0x11, 5));
}

static void test_behind_branches(void)
{
	const uint64_t type = CHAIN | WP_PERF_SAMPLE_BRANCH_STACK | REGS;
	const struct wp_perf_regs plain = {false, 1}, indexed = {false, 1, WP_PERF_BRANCH_HW_INDEX},
				  counted = {false, 1, WP_PERF_BRANCH_COUNTERS};

	CHECK(READ(type, &plain, 2, (uint64_t)-512, 0x11, 2, 1, 2, 3, 4, 5, 6, 2, 0x77));
	CHECK_U64(stack.raw.n_user, 1);
	CHECK_U64(stack.regs.r[0], 0x77);
	CHECK(READ(type, &plain, 0, 0, 2, 0x77));
	CHECK_U64(stack.regs.r[0], 0x77);
	CHECK(READ(type, &indexed, 0, 1, 9, 1, 2, 3, 2, 0x78));
	CHECK_U64(stack.regs.r[0], 0x78);
	CHECK(READ(type, &counted, 0, 1, 1, 2, 3, 9, 2, 0x79));
	CHECK_U64(stack.regs.r[0], 0x79);
	CHECK(!READ(type, &plain, 0, 2, 1, 2, 3, 4, 5));
	CHECK(!READ(type, &plain, 0, UINT64_MAX, 1));
	CHECK(!READ(type, &counted, 0, 1, 1, 2, 3));
}

static void test_in_a_record(void)
{
	struct wp_map ids = {0};
	struct wp_perf_layout layout = {WP_PERF_SAMPLE_IDENTIFIER | CHAIN, true, &ids};
	uint64_t record[] = {9 | 2ull << 32 | 40ull << 48, 42, 2, (uint64_t)-512, 0x11};
	struct wp_record ret;

	*wp_map_put(&ids, 42) = 3;
	CHECK(wp_perf_record_parse(&layout, record, 40, &ret) == WP_PERF_PARSED);
	CHECK(!ret.sample.stack);
	layout.stack = &stack;
	CHECK(wp_perf_record_parse(&layout, record, 40, &ret) == WP_PERF_PARSED);
	CHECK(ret.sample.stack == &stack.raw);
	CHECK_U64(ret.sample.stack->user_ips[0], 0x11);
	record[2] = 3;
	CHECK(wp_perf_record_parse(&layout, record, 40, &ret) == WP_PERF_MALFORMED);
	wp_map_deinit(&ids);
}

int main(void)
{
	RUN(test_chain);
	RUN(test_registers);
	RUN(test_arm_registers);
	RUN(test_copy);
	RUN(test_in_between);
	RUN(test_behind_branches);
	RUN(test_in_a_record);
	return check_done();
}
