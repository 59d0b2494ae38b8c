/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_stack: see perf_stack.h. */
#include "format/perf/perf_stack.h"

#include "base/mem.h"

/* enum perf_callchain_context: entries that say whose the following ones are. */
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER   ((uint64_t)-512)
#define CONTEXT_MAX    ((uint64_t)-4095)

/* enum perf_sample_regs_abi */
#define ABI_32 1
#define ABI_64 2

/* DWARF numbers of enum perf_event_x86_regs; 0xff: not a general register. */
static const uint8_t x86_numbers[24] = {
	0,    3,    2,	  1,	4, 5, 6,  7,  16, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 8, 9, 10, 11, 12, 13,	14,   15,
};

/* The registers of 32-bit code (i386 psABI table 2.14). */
static const uint8_t x86_32_numbers[9] = {0, 3, 1, 2, 6, 7, 5, 4, 8};

static uint8_t dwarf_number(const struct wp_perf_regs *regs, uint64_t abi, unsigned int bit)
{
	if (regs->arm64)
		return bit < WP_REGS_MAX ? (uint8_t)bit : 0xff;
	if (abi == ABI_32)
		return bit < WP_ARRAY_LEN(x86_32_numbers) ? x86_32_numbers[bit] : 0xff;
	return bit < WP_ARRAY_LEN(x86_numbers) ? x86_numbers[bit] : 0xff;
}

/* The addresses behind a context at *at, which moves behind them. */
static size_t take_context(const uint64_t *ips, size_t n, uint64_t context, size_t *at)
{
	size_t begin = *at + 1;

	if (*at >= n || ips[*at] != context)
		return 0;
	for (*at = begin; *at < n && ips[*at] < CONTEXT_MAX;)
		++*at;
	return *at - begin;
}

/* The chain where it lies, if that is [kernel context, addresses] [user context, addresses]. */
static bool borrow_chain(const struct wp_bytes *b, size_t n, struct wp_perf_stack *ret)
{
	const uint64_t *ips = (const uint64_t *)(const void *)(b->data + b->pos);
	size_t at = 0;

	if ((uintptr_t)ips % sizeof(*ips))
		return false;
	ret->raw.n_kernel = take_context(ips, n, CONTEXT_KERNEL, &at);
	ret->raw.kernel_ips = ips + at - ret->raw.n_kernel;
	ret->raw.n_user = take_context(ips, n, CONTEXT_USER, &at);
	ret->raw.user_ips = ips + at - ret->raw.n_user;
	return at == n;
}

/* nr ips[nr], innermost first, kernel before user */
static bool read_chain(struct wp_bytes *b, struct wp_perf_stack *ret)
{
	uint64_t n = wp_bytes_u64(b), context = 0;
	size_t n_kernel = 0, n_user = 0;

	if (n > wp_bytes_left(b) / 8 || n > WP_PERF_CHAIN_MAX)
		return false;
	ret->chain_moved = !borrow_chain(b, (size_t)n, ret);
	if (!ret->chain_moved) {
		wp_bytes_skip(b, 8 * n);
		return true;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t ip = wp_bytes_u64(b);

		if (ip >= CONTEXT_MAX)
			context = ip;
		else if (context == CONTEXT_KERNEL && !n_user)
			ret->ips[n_kernel++] = ip;
		else if (context == CONTEXT_USER)
			ret->ips[n_kernel + n_user++] = ip;
	}
	ret->raw.kernel_ips = ret->ips;
	ret->raw.n_kernel = n_kernel;
	ret->raw.user_ips = ret->ips + n_kernel;
	ret->raw.n_user = n_user;
	return !b->failed;
}

/* abi, and when it is not 0: regs[weight(mask)] */
static bool read_user_regs(const struct wp_perf_regs *regs, struct wp_bytes *b,
			   struct wp_perf_stack *ret)
{
	uint64_t abi = wp_bytes_u64(b);

	for (unsigned int bit = 0; abi && bit < 64; bit++) {
		uint8_t number = dwarf_number(regs, abi, bit);

		if (!(regs->mask & 1ull << bit))
			continue;
		uint64_t value = wp_bytes_u64(b);
		if (number == 0xff)
			continue;
		ret->regs.r[number] = value;
		ret->regs.valid |= 1ull << number;
	}
	ret->regs.x86 = abi == ABI_32 && !regs->arm64;
	if (abi == ABI_64 || ret->regs.x86)
		ret->raw.regs = &ret->regs;
	return !b->failed;
}

/* size, and when it is not 0: data[size], how much of it is filled */
static bool read_dump(struct wp_bytes *b, struct wp_perf_stack *ret)
{
	uint64_t size = wp_bytes_u64(b), filled;
	const uint8_t *data;

	if (!size || b->failed)
		return !b->failed;
	data = wp_bytes_take(b, size);
	filled = wp_bytes_u64(b);
	if (b->failed || filled > size)
		return false;
	if (!ret->raw.regs)
		return true;
	ret->raw.dump = data;
	ret->raw.dump_bytes = (size_t)filled;
	return true;
}

/* nr [hw_idx] {from to flags}[nr] [counters[nr]] */
static void skip_branches(const struct wp_perf_regs *regs, struct wp_bytes *b)
{
	uint64_t n = wp_bytes_u64(b), each = regs->branch_type & WP_PERF_BRANCH_COUNTERS ? 32 : 24;

	if (n > wp_bytes_left(b) / each)
		n = UINT32_MAX; /* fails below */
	if (regs->branch_type & WP_PERF_BRANCH_HW_INDEX)
		wp_bytes_skip(b, 8);
	wp_bytes_skip(b, n * each);
}

/* u32 size, data[size], with what fills it up to 8 bytes; size 0: an empty one, 4 bytes */
struct wp_bytes wp_perf_stack_payload(struct wp_bytes *b)
{
	struct wp_bytes payload = wp_bytes_sub(b, wp_bytes_u32(b));

	return payload.failed ? (struct wp_bytes){0} : payload;
}

bool wp_perf_stack_read(uint64_t sample_type, const struct wp_perf_regs *regs, struct wp_bytes *b,
			struct wp_perf_stack *ret)
{
	ret->raw = (struct wp_stack_raw){0};
	ret->chain_moved = false;
	ret->regs.valid = 0;
	if (sample_type & WP_PERF_SAMPLE_CALLCHAIN && !read_chain(b, ret))
		return false;
	ret->payload = (struct wp_bytes){0};
	if (sample_type & WP_PERF_SAMPLE_RAW)
		ret->payload = wp_perf_stack_payload(b);
	if (sample_type & WP_PERF_SAMPLE_BRANCH_STACK)
		skip_branches(regs, b);
	if (b->failed)
		return false;
	if (sample_type & WP_PERF_SAMPLE_REGS_USER && !read_user_regs(regs, b, ret))
		return false;
	return !(sample_type & WP_PERF_SAMPLE_STACK_USER) || read_dump(b, ret);
}

bool wp_perf_stack_raw_wait(struct wp_bytes payload, struct wp_perf_stack *stack,
			    uint32_t ret_ids[2], uint64_t *ret_ns)
{
	ret_ids[0] = wp_bytes_u32(&payload);
	ret_ids[1] = wp_bytes_u32(&payload);
	*ret_ns = wp_bytes_u64(&payload);
	stack->raw = (struct wp_stack_raw){0};
	stack->chain_moved = false;
	stack->regs.valid = 0;
	return read_chain(&payload, stack) && !payload.failed;
}
