/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_native: native user frames, walked with the modules' unwind rules.
 *
 * Part of walk.bpf.c. In: w->process and the registers in w; out: frames, w->n and w->end, and a
 * copy of the stack where a mapping is not known yet.
 */
#ifndef WP_BPF_WALK_NATIVE_H
#define WP_BPF_WALK_NATIVE_H

#include "bpf/walk_memory.h"

/* So many bytes, a multiple of 8, become the line. */
static __always_inline int load_line(struct walk *w, __u64 at, __u64 bytes)
{
	w->line_bytes = 0;
	MASK(bytes, 2 * LINE - 1);
	if (bytes > LINE || read_user(w, w->line, bytes, at))
		return -1;
	w->line_at = at;
	w->line_bytes = bytes;
	return 0;
}

/*
 * A read takes the kernel some time, however short it is, so what callers have on the stack is read
 * along: as far as the last walk looked. What the kernel has mapped itself lies together by the
 * page. Near the stack's end only what is left of the page can be read. Global, so that the
 * verifier looks at it once.
 */
__noinline int wp_walk_read_line(__u64 addr)
{
	struct walk *w = walk_of_cpu();
	__u64 at, end, page = addr & ~(WP_WALK_PAGE - 1ull);

	if (!w)
		return -1;
	at = w->sp & ~7ull;
	end = (w->record.head.sp & ~7ull) + w->reach;
	if (addr - at > LINE_BEHIND)
		at = addr - LINE_BEFORE;
	if (addr >= end || end - at > LINE)
		end = at + LINE;
	if (w->tables && at < page)
		at = page;
	if (w->tables && end > page + WP_WALK_PAGE)
		end = page + WP_WALK_PAGE;
	if (!load_line(w, at, end - at))
		return 0;
	return load_line(w, addr, page + WP_WALK_PAGE - addr);
}

/* One aligned word of the stack. */
static __always_inline int read_stack_word(struct walk *w, __u64 addr, __u64 *ret)
{
	__u64 offset = addr - w->line_at;

	if (addr & 7)
		return -1;
	if (offset >= w->line_bytes) {
		if (wp_walk_read_line(addr))
			return -1;
		offset = addr - w->line_at;
	}
	MASK(offset, LINE - 8);
	*ret = *(__u64 *)(w->line + offset);
	return 0;
}

/* Moves w->lo to the first of the ranges up to w->hi that begins behind pc. */
static __always_inline void search_ranges(struct walk *w, const struct wp_walk_ranges *ranges,
					  __u64 pc)
{
	for (int i = 0; i < WP_WALK_RANGE_STEPS; i++) {
		__u32 lo = w->lo, hi = w->hi, middle = (lo + hi) >> 1;
		__u64 index = middle;

		if (lo >= hi)
			break;
		MASK(index, WP_WALK_RANGES - 1);
		if (ranges->v[index].start <= pc)
			w->lo = middle + 1;
		else
			w->hi = middle;
	}
}

/* Makes w->range the one at pc. */
static __always_inline int select_range(struct walk *w, __u64 pc)
{
	struct wp_walk_ranges *ranges;
	__u64 index;

	if (pc >= w->range.start && pc < w->range.end)
		return 0;
	ranges = chunk_of(&range_chunks, w->process.chunk);
	if (!ranges)
		return -1;
	w->lo = w->process.first;
	w->hi = w->process.first + w->process.n;
	search_ranges(w, ranges, pc);
	index = w->lo - 1;
	if (w->lo == w->process.first)
		return -1;
	MASK(index, WP_WALK_RANGES - 1);
	if (pc >= ranges->v[index].end)
		return -1;
	w->range = ranges->v[index];
	return 0;
}

/* Moves w->lo to the last of the rows up to w->hi that begins at or before pc. */
static __always_inline void search_rows(struct walk *w, const struct wp_walk_rows *rows, __u32 pc)
{
	for (int i = 0; i < WP_WALK_ROW_STEPS; i++) {
		__u32 lo = w->lo, hi = w->hi, middle = (lo + hi) >> 1;
		__u64 index = middle;

		if (lo + 1 >= hi)
			break;
		MASK(index, WP_WALK_ROWS - 1);
		if (rows->v[index].pc <= pc)
			w->lo = middle;
		else
			w->hi = middle;
	}
}

/* The row in force at pc; the bucket's rows lie in one chunk. */
static __always_inline int find_row(struct walk *w, const struct wp_walk_bucket *bucket, __u32 pc,
				    struct wp_unwind_rule *ret)
{
	struct wp_walk_rows *rows = chunk_of(&row_chunks, bucket->row / WP_WALK_ROWS);
	__u64 index;

	if (!rows || !bucket->rows)
		return -1;
	w->lo = bucket->row;
	w->hi = bucket->row + bucket->rows;
	search_rows(w, rows, pc);
	index = w->lo;
	MASK(index, WP_WALK_ROWS - 1);
	*ret = rows->v[index];
	return ret->pc <= pc ? 0 : -1;
}

/* The rule for pc in w->range. */
static __always_inline int find_rule(struct walk *w, __u64 pc, struct wp_unwind_rule *ret)
{
	__u64 offset = pc - w->range.origin, piece = offset >> (w->range.shift & 31), index;
	struct wp_walk_buckets *buckets;
	struct wp_walk_bucket bucket;

	if (pc < w->range.origin || piece >= w->range.buckets)
		return -1;
	index = w->range.bucket + piece;
	buckets = chunk_of(&bucket_chunks, index / WP_WALK_BUCKETS);
	if (!buckets)
		return -1;
	MASK(index, WP_WALK_BUCKETS - 1);
	bucket = buckets->v[index];
	return find_row(w, &bucket, offset, ret);
}

/*
 * The rule of an address by the process's ranges; ret->pc becomes USES_FP where nothing but its
 * range's word says that it keeps frame pointers. -1, or why there is none.
 */
#define USES_FP 1

static __always_inline int search_rule(struct walk *w, __u64 pc, struct wp_unwind_rule *ret)
{
	const struct wp_unwind_rule keeps_fp = {.pc = USES_FP, WP_UNWIND_RULE_CHAIN};

	if (select_range(w, pc))
		return WP_WALK_NO_MODULE;
	if (!find_rule(w, pc, ret) && ret->cfa != WP_UNWIND_NONE) {
		ret->pc = 0;
		return -1;
	}
	if (!(w->range.flags & WP_WALK_RANGE_FP))
		return w->range.flags & WP_WALK_RANGE_LATE ? WP_WALK_NO_MODULE : WP_WALK_NO_RULE;
	*ret = keeps_fp;
	return -1;
}

/*
 * Makes w->rule the one of an address. Global, so that the verifier looks at the searches once:
 * else they are three quarters of the time that loading takes.
 */
__noinline int wp_walk_search_rule(__u64 pc)
{
	struct walk *w = walk_of_cpu();
	struct wp_unwind_rule rule;
	int end;

	if (!w)
		return WP_WALK_NO_RULE;
	end = search_rule(w, pc, &rule);
	if (end < 0)
		w->rule = rule;
	return end;
}

/*
 * The rule of a caller, remembered: callers are met again and again, and a search goes through four
 * tables.
 */
static __always_inline int rule_of_caller(struct walk *w, __u64 pc)
{
	__u64 i = pc * 0x9e3779b97f4a7c15ull >> 32;
	int end;

	MASK(i, RULES - 1);
	if (w->rules[i].pc == pc && w->rules[i].version == w->process.version) {
		w->rule = w->rules[i].rule;
		return -1;
	}
	end = wp_walk_search_rule(pc);
	if (end < 0) {
		w->rules[i].pc = pc;
		w->rules[i].version = w->process.version;
		w->rules[i].rule = w->rule;
	}
	return end;
}

/* The frame that a signal interrupted. */
static __always_inline int leave_signal(struct walk *w)
{
	__u64 sp = w->sp, ip;

	if (read_stack_word(w, sp + SIGNAL_IP, &ip) || read_stack_word(w, sp + SIGNAL_FP, &w->fp) ||
	    read_stack_word(w, sp + SIGNAL_LR, &w->lr) ||
	    read_stack_word(w, sp + SIGNAL_SP, &w->sp))
		return WP_WALK_UNREADABLE;
	w->bx_known = !read_stack_word(w, sp + SIGNAL_BX, &w->bx);
	w->ip = ip;
	w->exact = 1;
	w->lr_valid = 1;
	w->inner = 0;
	return -1;
}

/* A general register of this frame, by its DWARF number. */
static __always_inline int read_frame_reg(struct walk *w, __u32 reg, __u64 *ret)
{
	__u64 index = WORD_OF(reg);

	if (reg == WP_UNWIND_RBX && w->bx_known) {
		*ret = w->bx;
		return 0;
	}
	if (!w->inner)
		return -1;
	MASK(index, 15);
	*ret = w->regs[index];
	return 0;
}

static __always_inline int compute_cfa(struct walk *w, const struct wp_unwind_rule *rule,
				       __u64 *ret)
{
	long offset = rule->cfa_off * 8l;

	switch (rule->cfa) {
	case WP_UNWIND_SP: *ret = w->sp + offset; return 0;
	case WP_UNWIND_FP: *ret = w->fp + offset; return 0;
	case WP_UNWIND_AT_FP: return read_stack_word(w, w->fp + offset, ret);
	case WP_UNWIND_AT_SP:
		if (read_stack_word(w, w->sp + offset, ret))
			return -1;
		*ret += 8;
		return 0;
	case WP_UNWIND_PLT:
		*ret = w->sp + 8 + ((long)(w->ip & 15) >= rule->cfa_off ? 8 : 0);
		return 0;
	default:
		if (read_frame_reg(w, rule->cfa - WP_UNWIND_REG, ret))
			return -1;
		*ret += offset;
		return 0;
	}
}

/* The caller's rbx; a walk can do without. */
static __always_inline void leave_bx(struct walk *w, const struct wp_unwind_rule *rule, __u64 cfa)
{
	__u64 base = rule->flags & WP_UNWIND_BX_AT_FP ? w->fp : cfa;

	if (rule->flags & WP_UNWIND_BX_SAVED)
		w->bx_known = !read_stack_word(w, base + rule->ra_off * 8l, &w->bx);
	else if (rule->flags & WP_UNWIND_BX_LOST)
		w->bx_known = 0;
}

/* From a frame to its caller. -1, or why there is none. */
static __always_inline int to_caller(struct walk *w, const struct wp_unwind_rule *rule)
{
	__u64 cfa, ra = w->lr, fp = w->fp;

	/* Only the innermost frame may have no stack of its own, where there is a link register. */
	if (compute_cfa(w, rule, &cfa))
		return rule->cfa >= WP_UNWIND_REG ? WP_WALK_NO_RULE : WP_WALK_UNREADABLE;
	if (cfa < w->sp || (cfa == w->sp && !w->lr_valid))
		return WP_WALK_UNREADABLE;
	if (rule->flags & WP_UNWIND_RA_SAVED) {
		if (read_stack_word(w, cfa + wp_unwind_ra_off(rule) * 8l, &ra))
			return WP_WALK_UNREADABLE;
	} else if (!w->lr_valid) {
		return WP_WALK_UNREADABLE;
	}
	if ((rule->flags & WP_UNWIND_FP_SAVED) &&
	    read_stack_word(w, (rule->flags & WP_UNWIND_FP_AT_FP ? w->fp : cfa) + rule->fp_off * 8l,
			    &fp))
		return WP_WALK_UNREADABLE;
	if (rule->flags & WP_UNWIND_RA_SIGNED)
		ra = ADDRESS_BITS(ra);
	if (ra == 0)
		return WP_WALK_COMPLETE;
	leave_bx(w, rule, cfa);
	w->ip = ra;
	w->sp = cfa;
	w->fp = fp;
	w->exact = w->inner = 0;
	w->lr_valid = 0;
	return -1;
}

/*
 * Where nothing is known of the code at w->ip but what it will do next: 1 when it returns soon.
 * Global, so that the verifier looks at it once.
 */
__noinline int wp_walk_code_exit(__u32 exact)
{
	struct walk *w = walk_of_cpu();
	int status = 0;

	if (!w || !MAY_READ_CODE)
		return 0;
	__builtin_memset(&w->exit, 0, sizeof(w->exit));
	w->exit.may_call = exact;
	if (bpf_probe_read_user(w->exit.code, sizeof(w->exit.code), (void *)w->ip))
		return 0;
	for (int i = 0; i < WP_CODE_EXIT_STEPS && !status; i++)
		status = wp_code_exit_step(&w->exit);
	return status > 0;
}

/* One frame: noted, then left. -1, or why it is the last one. */
static __always_inline int walk_frame(struct walk *w)
{
	struct wp_walk_frame *frames = (void *)w->record.data;
	__u64 n = w->n, pc = w->exact ? w->ip : w->ip - 1;
	struct wp_unwind_rule rule;
	int end;

	if (n >= config.frames)
		return WP_WALK_TOO_DEEP;
	MASK(n, WP_WALK_FRAMES - 1);
	frames[n].ip = w->ip;
	frames[n].sp = w->sp;
	w->n = n + 1;
	end = w->exact ? wp_walk_search_rule(pc) : rule_of_caller(w, pc);
	if (end >= 0)
		return end;
	rule = w->rule;
	if (rule.pc == USES_FP && wp_walk_code_exit(w->exact) && wp_code_exit_rule(&w->exit, &rule))
		return to_caller(w, &rule);
	if (rule.pc == USES_FP && w->fp < w->sp)
		return w->range.flags & WP_WALK_RANGE_LATE ? WP_WALK_NO_MODULE : WP_WALK_NO_RULE;
	if (rule.cfa == WP_UNWIND_END)
		return WP_WALK_COMPLETE;
	return rule.cfa == WP_UNWIND_SIGNAL ? leave_signal(w) : to_caller(w, &rule);
}

static __always_inline int walk_step(struct walk *w)
{
	int end = walk_frame(w);

	if (end < 0)
		return 0;
	w->end = end;
	return 1;
}

static long loop_step(__u32 i, void *arg)
{
	struct walk *w = *(struct walk **)arg;

	for (int frame = 0; frame < TURN; frame++)
		if (walk_step(w))
			return 1;
	return 0;
}

/* Global, so that the verifier looks at it once and not in every turn of the loop. */
__noinline int wp_walk_bounded_step(__u32 i)
{
	struct walk *w = walk_of_cpu();

	return w && i <= WP_WALK_FRAMES ? walk_step(w) : 1;
}

/* Copies are for the moments until a mapping is known; more of them would only fill the ring. */
static __always_inline int may_dump(struct walk *w)
{
	__u64 now = bpf_ktime_get_ns();

	if (now - w->dumps_since_ns > DUMPS_NS) {
		w->dumps_since_ns = now;
		w->dumped_bytes = 0;
	}
	return w->dumped_bytes + config.dump_bytes <= values.dumps_bytes;
}

/*
 * Copies the stack from the first sp, page by page, as far as it can be read. It begins at a
 * multiple of 8, which x86's sp need not be.
 */
static __always_inline void dump(struct walk *w)
{
	__u64 at = w->n * sizeof(struct wp_walk_frame), sp = w->record.head.sp & ~7ull, bytes = 0;

	if (!w->record.head.x86)
		w->record.head.sp = sp;
	for (int i = 0; i < WP_WALK_DUMP_MAX / WP_WALK_PAGE; i++) {
		__u64 place = at + bytes, size = WP_WALK_PAGE - ((sp + bytes) & (WP_WALK_PAGE - 1));

		if (bytes + size > config.dump_bytes)
			break;
		MASK(place, 0xfff8);
		MASK(size, WP_WALK_PAGE * 2 - 1);
		if (place > sizeof(w->record.data) - WP_WALK_PAGE || size > WP_WALK_PAGE ||
		    bpf_probe_read_user(w->record.data + place, size, (void *)(sp + bytes)))
			break;
		bytes += size;
	}
	w->record.head.dump_bytes = bytes;
	w->dumped_bytes += bytes;
}

#endif
