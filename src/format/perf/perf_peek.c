/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_peek: see perf_peek.h. */
#include "format/perf/perf_peek.h"

#include "base/bytes.h"

/* enum perf_event_type */
enum {
	COMM = 3,
	FORK = 7,
	SAMPLE = 9,
	SWITCH = 14,
	SWITCH_CPU_WIDE = 15,
};

#define HEADER_BYTES	8
#define MISC_SWITCH_OUT (1u << 13)
#define MISC_COMM_EXEC	(1u << 13)

/* Of one id field in a sample's head or in a trailer: all are 8 bytes. */
static void skip_if(struct wp_bytes *b, uint64_t has, uint64_t field)
{
	if (has & field)
		wp_bytes_skip(b, 8);
}

static bool read_who(struct wp_bytes *b, uint64_t has, struct wp_perf_peek *peek)
{
	if (!(has & WP_PERF_SAMPLE_TID) || !(has & WP_PERF_SAMPLE_TIME))
		return false;
	peek->pid = wp_bytes_u32(b);
	peek->tid = wp_bytes_u32(b);
	peek->time_ns = wp_bytes_u64(b);
	return !b->failed;
}

/* The stack pointer and the instruction pointer in sample_regs_user: enum perf_event_x86_regs,
 * perf_event_arm_regs. */
static unsigned int sp_bit(const struct wp_perf_regs *regs)
{
	return regs->arm64 ? 31 : 7;
}

/* abi, and when it is not 0: regs[weight(mask)] */
static void peek_stack_regs(const struct wp_perf_regs *regs, struct wp_bytes *b,
			    struct wp_perf_peek *peek)
{
	const unsigned int sp = sp_bit(regs);
	const uint64_t both = 3ull << sp;
	uint64_t abi = wp_bytes_u64(b), found[2] = {0};
	uint32_t n = 0;

	if (!abi || (regs->mask & both) != both)
		return;
	for (unsigned int i = 0; i < 64 && regs->mask >> i; i++) {
		uint64_t value;

		if (!(regs->mask >> i & 1))
			continue;
		value = wp_bytes_u64(b);
		if (i - sp < 2)
			found[i - sp] = value;
		else if (n < WP_PERF_PEEK_REGS)
			peek->user.others[n++] = value;
	}
	if (b->failed)
		return;
	peek->user.sp = found[0];
	peek->user.ip = found[1];
	peek->user.n = n;
}

/* [addr] [id] [stream_id] [cpu res] [period] [reading] [nr ips[nr]] [raw] [registers] */
static void read_registers(const struct wp_perf_layout *layout, struct wp_bytes *b,
			   struct wp_perf_peek *peek)
{
	uint64_t has = layout->sample_type;

	if (!(has & WP_PERF_SAMPLE_REGS_USER) || has & WP_PERF_SAMPLE_BRANCH_STACK)
		return;
	skip_if(b, has, WP_PERF_SAMPLE_ADDR);
	skip_if(b, has, WP_PERF_SAMPLE_ID);
	skip_if(b, has, WP_PERF_SAMPLE_STREAM_ID);
	skip_if(b, has, WP_PERF_SAMPLE_CPU);
	skip_if(b, has, WP_PERF_SAMPLE_PERIOD);
	if (has & WP_PERF_SAMPLE_READ)
		wp_perf_reading_skip(layout->read_format, b);
	if (has & WP_PERF_SAMPLE_CALLCHAIN)
		wp_perf_chain_skip(b);
	if (has & WP_PERF_SAMPLE_RAW)
		wp_bytes_skip(b, wp_bytes_u32(b));
	peek_stack_regs(&layout->regs, b, peek);
}

/* [identifier] [ip] pid tid time ... */
static bool peek_sample(const struct wp_perf_layout *layout, struct wp_bytes *b,
			struct wp_perf_peek *peek)
{
	skip_if(b, layout->sample_type, WP_PERF_SAMPLE_IDENTIFIER);
	skip_if(b, layout->sample_type, WP_PERF_SAMPLE_IP);
	if (!read_who(b, layout->sample_type, peek))
		return false;
	read_registers(layout, b, peek);
	return true;
}

/* [next_prev_pid next_prev_tid: only CPU_WIDE] pid tid time ... */
static bool read_switch(const struct wp_perf_layout *layout, struct wp_bytes *b, uint32_t type,
			struct wp_perf_peek *peek)
{
	if (type == SWITCH_CPU_WIDE)
		wp_bytes_skip(b, 8);
	return layout->sample_id_all && read_who(b, layout->sample_type, peek);
}

/* FORK: pid ppid tid ...; COMM: pid tid ... */
static bool peek_process_ids(struct wp_bytes *b, uint32_t type, struct wp_perf_peek *peek)
{
	peek->pid = wp_bytes_u32(b);
	if (type == FORK)
		peek->parent_pid = wp_bytes_u32(b);
	peek->tid = wp_bytes_u32(b);
	return !b->failed;
}

static enum wp_perf_peek_kind peek_record_body(const struct wp_perf_layout *layout,
					       struct wp_bytes *b, uint32_t type, uint16_t misc,
					       struct wp_perf_peek *peek)
{
	bool good = false;

	switch (type) {
	case SAMPLE: return peek_sample(layout, b, peek) ? WP_PERF_PEEK_SAMPLE : WP_PERF_PEEK_OTHER;
	case FORK: return peek_process_ids(b, type, peek) ? WP_PERF_PEEK_FORK : WP_PERF_PEEK_OTHER;
	case COMM:
		good = misc & MISC_COMM_EXEC && peek_process_ids(b, type, peek);
		return good ? WP_PERF_PEEK_EXEC : WP_PERF_PEEK_OTHER;
	case SWITCH:
	case SWITCH_CPU_WIDE:
		if (!read_switch(layout, b, type, peek))
			return WP_PERF_PEEK_OTHER;
		return misc & MISC_SWITCH_OUT ? WP_PERF_PEEK_OUT : WP_PERF_PEEK_IN;
	default: return WP_PERF_PEEK_OTHER;
	}
}

bool wp_perf_peek(const struct wp_perf_layout *layout, const void *bytes, size_t n,
		  struct wp_perf_peek *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, n);
	uint32_t type = wp_bytes_u32(&b);
	uint16_t misc = wp_bytes_u16(&b);
	struct wp_perf_peek peek = {.size = wp_bytes_u16(&b)};

	if (b.failed || peek.size < HEADER_BYTES)
		return false;
	if (n > peek.size)
		b.size = peek.size;
	peek.kind = peek_record_body(layout, &b, type, misc, &peek);
	*ret = peek;
	return true;
}
