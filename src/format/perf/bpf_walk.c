/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_walk: see bpf_walk.h. */
#include "format/perf/bpf_walk.h"

#include "base/bytes.h"
#include "format/python/python_captured.h"

#include <string.h>

#define RECORD_SAMPLE 9 /* PERF_RECORD_SAMPLE */
#define HEADER_BYTES  8 /* struct perf_event_header */

_Static_assert(sizeof(struct wp_walk_frame) == sizeof(struct wp_stack_frame), "passed on as it is");
_Static_assert((int)WP_WALK_COMPLETE == (int)WP_STACK_COMPLETE &&
		       (int)WP_WALK_NO_MODULE == (int)WP_STACK_NO_MODULE &&
		       (int)WP_WALK_NO_RULE == (int)WP_STACK_NO_RULE &&
		       (int)WP_WALK_UNREADABLE == (int)WP_STACK_UNREADABLE &&
		       (int)WP_WALK_CUT == (int)WP_STACK_CUT &&
		       (int)WP_WALK_TOO_DEEP == (int)WP_STACK_TOO_DEEP,
	       "enum wp_walk_end");

#ifdef __aarch64__
enum { DWARF_FP = 29, DWARF_LR = 30, DWARF_SP = 31, DWARF_IP = 32 };
#else
enum { DWARF_FP = 6, DWARF_LR = 3, DWARF_SP = 7, DWARF_IP = 16 };
#endif

uint64_t wp_bpf_walk_identifier(const void *bytes, size_t size)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);

	if (wp_bytes_u32(&b) != RECORD_SAMPLE)
		return 0;
	wp_bytes_skip(&b, HEADER_BYTES - 4);
	return wp_bytes_u64(&b);
}

static void set_reg(struct wp_stack_regs *regs, int number, uint64_t value)
{
	regs->r[number] = value;
	regs->valid |= 1ull << number;
}

/* i386 psABI table 2.14. */
enum { X86_BX = 3, X86_SP = 4, X86_FP = 5, X86_IP = 8 };

static void read_walk_regs(const struct wp_walk_head *head, struct wp_stack_regs *ret)
{
	ret->x86 = head->x86;
	if (head->x86) {
		set_reg(ret, X86_BX, (uint32_t)head->lr);
		set_reg(ret, X86_IP, (uint32_t)head->ip);
		set_reg(ret, X86_SP, (uint32_t)head->sp);
		set_reg(ret, X86_FP, (uint32_t)head->fp);
		return;
	}
	set_reg(ret, DWARF_LR, head->lr);
	set_reg(ret, DWARF_IP, head->ip);
	set_reg(ret, DWARF_SP, head->sp);
	set_reg(ret, DWARF_FP, head->fp);
}

static bool read_walk(struct wp_bytes *b, struct wp_bpf_walk *ret)
{
	const void *bytes = wp_bytes_take(b, sizeof(struct wp_walk_head));
	struct wp_walk_head head;

	if (!bytes)
		return false;
	memcpy(&head, bytes, sizeof(head));
	if (head.kind > WP_WALK_MORE || head.n > WP_WALK_FRAMES || head.end >= WP_STACK_ENDS ||
	    head.dump_bytes > WP_WALK_DUMP_MAX || head.dump_bytes % 8 ||
	    head.slots > WP_WALK_DATA / sizeof(*ret->slots) || head.plans > WP_PYTHON_PLANS)
		return false;
	ret->kind = (enum wp_walk_kind)head.kind;
	ret->serial = head.serial;
	ret->piece = head.piece;
	ret->more = head.more;
	ret->sample_id = head.id;
	ret->sample_time_ns = head.time;
	ret->n = head.n;
	ret->end = (enum wp_stack_end)head.end;
	ret->frames = wp_bytes_take(b, head.n * sizeof(*ret->frames));
	ret->dump_bytes = head.dump_bytes;
	ret->dump = head.dump_bytes ? wp_bytes_take(b, head.dump_bytes) : NULL;
	ret->n_slots = head.slots;
	ret->slots = head.slots ? wp_bytes_take(b, head.slots * sizeof(*ret->slots)) : NULL;
	ret->plans = head.plans;
	ret->call = (struct wp_stack_call){true, head.x86 ? WP_STACK_CALL_OTHER : head.call,
					   head.argument, head.inode, head.file_kind};
	memcpy(ret->threads, head.threads, sizeof(ret->threads));
	read_walk_regs(&head, &ret->regs);
	if (b->failed)
		return false;
	if (head.x86 && ret->dump_bytes) {
		ret->dump += head.sp & 7;
		ret->dump_bytes -= head.sp & 7;
	}
	return true;
}

struct sample {
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
	struct wp_bytes raw;
};

/* header, identifier, ip, pid tid, time, cpu res, period, then a 4-byte size and the raw data */
static bool read_raw_sample(const void *bytes, size_t size, struct sample *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);

	wp_bytes_skip(&b, HEADER_BYTES + 8 + 8);
	ret->pid = wp_bytes_u32(&b);
	ret->tid = wp_bytes_u32(&b);
	ret->time_ns = wp_bytes_u64(&b);
	ret->cpu = wp_bytes_u32(&b);
	wp_bytes_skip(&b, 4 + 8);
	ret->raw = wp_bytes_sub(&b, wp_bytes_u32(&b));
	return !b.failed;
}

uint64_t wp_bpf_walk_time(const void *bytes, size_t size)
{
	struct sample sample;

	return read_raw_sample(bytes, size, &sample) ? sample.time_ns : 0;
}

enum wp_walk_kind wp_bpf_walk_kind(const void *bytes, size_t size)
{
	struct sample sample;

	return read_raw_sample(bytes, size, &sample) ? (enum wp_walk_kind)wp_bytes_u32(&sample.raw)
						     : (enum wp_walk_kind) - 1;
}

bool wp_bpf_walk_parse(const void *bytes, size_t size, struct wp_bpf_walk *ret)
{
	struct wp_bpf_walk walk = {0};
	struct sample sample;

	if (!read_raw_sample(bytes, size, &sample) || !read_walk(&sample.raw, &walk))
		return false;
	walk.tid = sample.tid;
	walk.time_ns = sample.time_ns;
	*ret = walk;
	return true;
}

/* A sample and what its raw data begins with, of that kind. */
static bool read_raw_head(const void *bytes, size_t size, enum wp_walk_kind kind, void *head,
			  size_t n, struct sample *ret)
{
	const void *at = read_raw_sample(bytes, size, ret) ? wp_bytes_take(&ret->raw, n) : NULL;
	uint32_t first;

	if (!at)
		return false;
	memcpy(head, at, n);
	memcpy(&first, at, sizeof(first));
	return first == (uint32_t)kind;
}

bool wp_bpf_walk_parse_code(const void *bytes, size_t size, struct wp_record *ret)
{
	struct wp_record record = {.kind = WP_RECORD_CODE};
	struct wp_walk_code_head head;
	struct sample sample;

	if (!read_raw_head(bytes, size, WP_WALK_CODE, &head, sizeof(head), &sample) ||
	    !wp_python_captured_read(&sample.raw, &record.code))
		return false;
	record.pid = sample.pid;
	record.tid = sample.tid;
	record.cpu = sample.cpu;
	record.time_ns = head.time ? head.time : sample.time_ns;
	record.code.uid = head.uid;
	record.code.has_uid = true;
	*ret = record;
	return true;
}

bool wp_bpf_walk_parse_lines(const void *bytes, size_t size, struct wp_bpf_lines *ret)
{
	struct wp_walk_lines_head head;
	struct sample sample;
	const void *at;

	if (!read_raw_head(bytes, size, WP_WALK_LINES, &head, sizeof(head), &sample) || !head.bytes)
		return false;
	at = wp_bytes_take(&sample.raw, head.bytes);
	if (!at)
		return false;
	*ret = (struct wp_bpf_lines){
		.pid = sample.pid,
		.code = head.code,
		.id = head.id,
		.generation = head.generation,
		.from = head.from,
		.bytes = at,
		.n = head.bytes,
	};
	return true;
}
