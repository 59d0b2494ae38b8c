/*
 * walk: native user frames, walked with the modules' unwind rules inside the overflow interrupt.
 *
 * One program for perf events and one for tracepoints; each writes a struct wp_walk_record into the
 * CPU's perf ring right before the perf sample it belongs to, and lets that sample through. Needs
 * Linux 5.15; where bpf_loop() is missing (before 5.17) the loader picks the *_bounded programs.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stddef.h>

#include "bpf/kernel_structs.h"
#include "bpf/wire.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define PF_KTHREAD	   0x00200000
#define PERF_SAMPLE_TIME   (1u << 2)
#define LINE		   512 /* bytes of stack that are read at once; divides a page */
#define ADDRESS_BITS(addr) ((addr) & ((1ull << 48) - 1))

/* Bytes of stack copied in that time are bounded, and so is how often the reader is woken. */
#define DUMPS_NS  20000000
#define URGENT_NS 2000000

/* struct pt_regs as user space sees it (uapi asm/ptrace.h): an array of words. */
#if defined(__TARGET_ARCH_x86)
enum { REG_FP = 4, REG_BX = 5, REG_IP = 16, REG_MODE = 17, REG_SP = 19, REGS = 21 };
enum { REG_LR = REG_BX }; /* what else a walk begins with */
/* Where DWARF's registers 0 to 15 are in it, four bits each; rsp (15 here) has its own rules. */
#define WORD_OF(reg)	(0x01236789f4ed5bcaull >> 4 * ((reg)&15) & 15)
#define IS_USER(mode)	(((mode)&3) == 3)
#define IS_NATIVE(mode) ((mode) == 0x33)
/* At a signal frame sp points to struct ucontext; its sigcontext is at 40. */
enum {
	SIGNAL_FP = 40 + 10 * 8,
	SIGNAL_BX = 40 + 11 * 8,
	SIGNAL_SP = 40 + 15 * 8,
	SIGNAL_IP = 40 + 16 * 8
};
enum { SIGNAL_LR = SIGNAL_IP };
#elif defined(__TARGET_ARCH_arm64)
enum { REG_FP = 29, REG_LR = 30, REG_SP = 31, REG_IP = 32, REG_MODE = 33, REGS = 34 };
enum { REG_BX = -1 };
#define IS_USER(mode)	(((mode)&15) == 0)
#define IS_NATIVE(mode) (((mode)&16) == 0)
/* At a signal frame sp points to struct rt_sigframe: siginfo 128, ucontext up to sigcontext 176,
 * fault address 8, then the registers. */
enum { SIGNAL_FP = 312 + 29 * 8, SIGNAL_LR = 312 + 30 * 8, SIGNAL_SP = 312 + 31 * 8 };
enum { SIGNAL_IP = 312 + 32 * 8, SIGNAL_BX = SIGNAL_LR };
#define WORD_OF(reg)	0 /* no rule needs them */
#else
#error "no register layout for this architecture"
#endif

/* Filled in by the loader before the program is loaded; the only variable in .rodata. */
const volatile struct wp_walk_config config SEC(".rodata") = {.frames = WP_WALK_FRAMES};

/* Of copies on a CPU in DUMPS_NS: as its ring is large. Set when the rings are there; the only
 * variable in .data. */
volatile __u64 dumps_bytes SEC(".data") = 1 << 20;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct wp_walk_process);
} processes SEC(".maps");

#define CHUNKS(name, type_)                               \
	struct name##_chunk {                             \
		__uint(type, BPF_MAP_TYPE_ARRAY);         \
		__uint(map_flags, BPF_F_MMAPABLE);        \
		__uint(max_entries, 1);                   \
		__uint(key_size, 4);                      \
		__uint(value_size, sizeof(type_));        \
	};                                                \
	struct {                                          \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); \
		__uint(max_entries, WP_WALK_CHUNKS);      \
		__type(key, __u32);                       \
		__array(values, struct name##_chunk);     \
	} name SEC(".maps")

CHUNKS(row_chunks, struct wp_walk_rows);
CHUNKS(bucket_chunks, struct wp_walk_buckets);
CHUNKS(range_chunks, struct wp_walk_ranges);

/* Per CPU, the event that writes into its ring. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* The same, but whoever reads the ring is woken at once: it is to tell of a mapping. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} urgent_outputs SEC(".maps");

/* A walk in progress. Programs do not nest on a CPU, so there is one per CPU. */
struct walk {
	__u64 ip, sp, fp, lr;
	__u32 n;
	__u32 end;
	__u32 exact; /* ip is where it was interrupted, not a return address */
	__u32 lr_valid;
	__u32 inner;	/* the innermost frame: regs are its */
	__u32 bx_known; /* rbx of this frame (x86-64) */
	__u64 bx;
	__u64 regs[16]; /* the first words of struct pt_regs */
	/*
	 * The bounds of a search, kept in memory because the verifier knows nothing of what it
	 * reads from there: else it would follow every way that the search can take.
	 */
	volatile __u32 lo, hi;
	struct wp_walk_process process;
	struct wp_walk_range range; /* the one that was hit last */
	__u64 dumps_since_ns, dumped_bytes;
	__u64 urgent_ns; /* when the reader of the ring was woken last */
	__u64 line_at;	 /* what `line` is a copy of; 1: nothing */
	__u8 line[LINE];
	struct wp_walk_record record;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY); /* a per-CPU array's values are limited to 32 KB */
	__uint(max_entries, 1);		  /* the loader makes it the number of CPUs */
	__type(key, __u32);
	__type(value, struct walk);
} walks SEC(".maps");

/* The compiler may compare one copy of an index and use another; this one it cannot. */
#define MASK(index, mask) asm volatile("%0 &= %1" : "+r"(index) : "i"(mask))

static __always_inline void *chunk_of(void *outer, __u32 chunk)
{
	__u32 zero = 0;
	void *inner = bpf_map_lookup_elem(outer, &chunk);

	return inner ? bpf_map_lookup_elem(inner, &zero) : NULL;
}

static __always_inline struct walk *walk_of_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&walks, &cpu);
}

/* One aligned word of the stack. */
static __always_inline int read_word(struct walk *w, __u64 addr, __u64 *ret)
{
	__u64 at = addr & ~(__u64)(LINE - 1), offset = addr;

	if (addr & 7)
		return -1;
	if (at != w->line_at) {
		w->line_at = 1;
		if (bpf_probe_read_user(w->line, LINE, (void *)at))
			return -1;
		w->line_at = at;
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
static __always_inline int find_range(struct walk *w, __u64 pc)
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

/* The frame that a signal interrupted. */
static __always_inline int leave_signal(struct walk *w)
{
	__u64 sp = w->sp, ip;

	if (read_word(w, sp + SIGNAL_IP, &ip) || read_word(w, sp + SIGNAL_FP, &w->fp) ||
	    read_word(w, sp + SIGNAL_LR, &w->lr) || read_word(w, sp + SIGNAL_SP, &w->sp))
		return WP_WALK_UNREADABLE;
	w->bx_known = !read_word(w, sp + SIGNAL_BX, &w->bx);
	w->ip = ip;
	w->exact = 1;
	w->lr_valid = 1;
	w->inner = 0;
	return -1;
}

/* A general register of this frame, by its DWARF number. */
static __always_inline int find_reg(struct walk *w, __u32 reg, __u64 *ret)
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

static __always_inline int find_cfa(struct walk *w, const struct wp_unwind_rule *rule, __u64 *ret)
{
	long offset = rule->cfa_off * 8l;

	switch (rule->cfa) {
	case WP_UNWIND_SP: *ret = w->sp + offset; return 0;
	case WP_UNWIND_FP: *ret = w->fp + offset; return 0;
	case WP_UNWIND_AT_FP: return read_word(w, w->fp + offset, ret);
	case WP_UNWIND_AT_SP:
		if (read_word(w, w->sp + offset, ret))
			return -1;
		*ret += 8;
		return 0;
	case WP_UNWIND_PLT:
		*ret = w->sp + 8 + ((long)(w->ip & 15) >= rule->cfa_off ? 8 : 0);
		return 0;
	default:
		if (find_reg(w, rule->cfa - WP_UNWIND_REG, ret))
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
		w->bx_known = !read_word(w, base + rule->ra_off * 8l, &w->bx);
	else if (rule->flags & WP_UNWIND_BX_LOST)
		w->bx_known = 0;
}

/* From a frame to its caller. -1, or why there is none. */
static __always_inline int to_caller(struct walk *w, const struct wp_unwind_rule *rule)
{
	__u64 cfa, ra = w->lr, fp = w->fp;

	/* Only the innermost frame may have no stack of its own, where there is a link register. */
	if (find_cfa(w, rule, &cfa))
		return rule->cfa >= WP_UNWIND_REG ? WP_WALK_NO_RULE : WP_WALK_UNREADABLE;
	if (cfa < w->sp || (cfa == w->sp && !w->lr_valid))
		return WP_WALK_UNREADABLE;
	if (rule->flags & WP_UNWIND_RA_SAVED) {
		if (read_word(w, cfa + wp_unwind_ra_off(rule) * 8l, &ra))
			return WP_WALK_UNREADABLE;
	} else if (!w->lr_valid) {
		return WP_WALK_UNREADABLE;
	}
	if ((rule->flags & WP_UNWIND_FP_SAVED) &&
	    read_word(w, (rule->flags & WP_UNWIND_FP_AT_FP ? w->fp : cfa) + rule->fp_off * 8l, &fp))
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

/* One frame: noted, then left. -1, or why it is the last one. */
static __always_inline int walk_frame(struct walk *w)
{
	const struct wp_unwind_rule keeps_fp = {.cfa = WP_UNWIND_FP,
						.flags = WP_UNWIND_RA_SAVED | WP_UNWIND_FP_SAVED |
							 WP_UNWIND_BX_LOST,
						.cfa_off = 2,
						.ra_off = -1,
						.fp_off = -2};
	struct wp_unwind_rule rule;
	struct wp_walk_frame *frames = (void *)w->record.data;
	__u64 n = w->n, pc = w->exact ? w->ip : w->ip - 1;

	if (n >= config.frames)
		return WP_WALK_TOO_DEEP;
	MASK(n, WP_WALK_FRAMES - 1);
	frames[n].ip = w->ip;
	frames[n].sp = w->sp;
	w->n = n + 1;
	if (find_range(w, pc))
		return WP_WALK_NO_MODULE;
	if (find_rule(w, pc, &rule) || rule.cfa == WP_UNWIND_NONE) {
		if (!(w->range.flags & WP_WALK_RANGE_FP) || w->fp < w->sp)
			return w->range.flags & WP_WALK_RANGE_LATE ? WP_WALK_NO_MODULE
								   : WP_WALK_NO_RULE;
		rule = keeps_fp;
	}
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
	return walk_step(*(struct walk **)arg);
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
	return w->dumped_bytes + config.dump_bytes <= dumps_bytes;
}

/* Copies the stack from the first sp, page by page, as far as it can be read. */
static __always_inline void dump(struct walk *w)
{
	__u64 at = w->n * sizeof(struct wp_walk_frame), sp = w->record.head.sp & ~7ull, bytes = 0;

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

/* The process's ranges; without any when it is not known or has become another program. */
static __always_inline int find_process(struct walk *w, const struct task_struct *task)
{
	__u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct wp_walk_process *process = bpf_map_lookup_elem(&processes, &tgid);
	__u64 mm = (__u64)task->mm;

	w->process.n = 0;
	if (!process)
		return -1;
	if (!process->mm)
		process->mm = mm;
	if (process->mm == mm)
		w->process = *process;
	return 0;
}

/* A process that was just forked by one that was named. */
static __always_inline int is_child(const struct task_struct *task)
{
	__u32 parent = task->real_parent->tgid;

	return bpf_map_lookup_elem(&processes, &parent) != NULL;
}

static __always_inline void begin(struct walk *w, const __u64 *regs)
{
	struct wp_walk_head *head = &w->record.head;

	w->ip = head->ip = regs[REG_IP];
	w->sp = head->sp = regs[REG_SP];
	w->fp = head->fp = regs[REG_FP];
	w->lr = w->bx = head->lr = regs[REG_LR];
#pragma unroll
	for (int i = 0; i < 16; i++)
		w->regs[i] = regs[i];
	head->id = head->time = 0;
	head->dump_bytes = 0;
	w->n = 0;
	w->end = WP_WALK_TOO_DEEP;
	w->exact = w->inner = 1;
	w->lr_valid = REG_LR != REG_BX;
	w->bx_known = REG_LR == REG_BX;
	w->range.start = w->range.end = 0;
	w->line_at = 1;
}

/* What the kernel prepared of the perf sample: its id and time name it. */
static __always_inline void name_sample(struct wp_walk_head *head, void *ctx)
{
	struct bpf_perf_event_data_kern kern;
	struct perf_sample_data *data = NULL;
	__u64 flags = 0;

	if (!bpf_core_field_exists(data->sample_flags) ||
	    bpf_probe_read_kernel(&kern, sizeof(kern), ctx))
		return;
	data = kern.data;
	if (bpf_core_read(&flags, sizeof(flags), &data->sample_flags) ||
	    !(flags & PERF_SAMPLE_TIME))
		return;
	bpf_core_read(&head->id, sizeof(head->id), &data->id);
	bpf_core_read(&head->time, sizeof(head->time), &data->time);
}

/* A walk that lacked a mapping wakes the loader, but not too often: it may never come. */
static __always_inline int is_urgent(struct walk *w)
{
	__u64 now;

	if (w->end != WP_WALK_NO_MODULE)
		return 0;
	now = bpf_ktime_get_ns();
	if (now - w->urgent_ns < URGENT_NS)
		return 0;
	w->urgent_ns = now;
	return 1;
}

static __always_inline void emit(struct walk *w, void *ctx)
{
	__u64 bytes;

	w->record.head.n = w->n;
	w->record.head.end = w->end;
	if (w->end == WP_WALK_NO_MODULE && config.dump_bytes && may_dump(w))
		dump(w);
	bytes = sizeof(w->record.head) + w->n * sizeof(struct wp_walk_frame) +
		w->record.head.dump_bytes;
	MASK(bytes, 0xffff);
	if (bytes > sizeof(w->record))
		return;
	if (is_urgent(w))
		bpf_perf_event_output(ctx, &urgent_outputs, BPF_F_CURRENT_CPU, &w->record, bytes);
	else
		bpf_perf_event_output(ctx, &outputs, BPF_F_CURRENT_CPU, &w->record, bytes);
}

static __always_inline void walk_all(struct walk *w, int bounded)
{
	if (!bounded) {
		bpf_loop(WP_WALK_FRAMES + 1, loop_step, &w, 0);
		return;
	}
	for (int i = 0; i <= WP_WALK_FRAMES; i++)
		if (wp_walk_bounded_step(i))
			break;
}

/*
 * The user registers when the thread last left user mode, which is what a sample in the kernel is
 * about; NULL for kernel threads.
 */
static __always_inline int user_regs(const struct task_struct *task, __u64 *ret)
{
	void *regs = (void *)bpf_task_pt_regs((void *)task);

	return bpf_probe_read_kernel(ret, REGS * sizeof(*ret), regs);
}

/* ctx of a perf event begins with the interrupted registers. */
static __always_inline int walk_user(void *ctx, int is_event, int bounded)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	const __u64 *interrupted = ctx;
	struct walk *w = walk_of_cpu();
	__u64 regs[REGS];

	if (!w || (task->flags & PF_KTHREAD))
		return 1;
	if (find_process(w, task) && config.only_mapped && !is_event && !is_child(task))
		return 1;
	if (is_event && IS_USER(interrupted[REG_MODE])) {
#pragma unroll
		for (int i = 0; i < REGS; i++)
			regs[i] = interrupted[i];
	} else if (user_regs(task, regs)) {
		return 1;
	}
	if (!IS_NATIVE(regs[REG_MODE]))
		return 1;
	begin(w, regs);
	if (is_event)
		name_sample(&w->record.head, ctx);
	walk_all(w, bounded);
	emit(w, ctx);
	return 1;
}

SEC("perf_event") int wp_walk_event(void *ctx)
{
	return walk_user(ctx, 1, 0);
}

SEC("perf_event") int wp_walk_event_bounded(void *ctx)
{
	return walk_user(ctx, 1, 1);
}

SEC("tracepoint") int wp_walk_tracepoint(void *ctx)
{
	return walk_user(ctx, 0, 0);
}

SEC("tracepoint") int wp_walk_tracepoint_bounded(void *ctx)
{
	return walk_user(ctx, 0, 1);
}
