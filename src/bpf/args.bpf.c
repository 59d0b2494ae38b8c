/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * args: reads the arguments of a probe that is hit, right before the sample of the hit is made.
 *
 * It is attached to the probe's event in the place of what walks stacks, writes what it read into
 * perf's ring of the CPU, and hands over to the walk. So both are of the same hit, and in the ring
 * the sample is the next one of that event and thread.
 */
#include "bpf/args_wire.h"
#include "bpf/walk_number.h"
#include "bpf/probe_targets.h"

/* Words of struct pt_regs (arm64: struct user_pt_regs), and which is the instruction pointer. */
#if defined(__TARGET_ARCH_arm64)
enum { REGS = 34, REG_IP = 32 };
#else
enum { REGS = 21, REG_IP = 16 };
#endif

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile struct wp_args_config config SEC(".rodata") = {0};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* the loader says how many */
	__type(key, __u32);
	__type(value, struct wp_args_place);
} places SEC(".maps");

/* Per CPU, the event that writes into its ring. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} args_outputs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} args_successor SEC(".maps");

/* A thread may be switched out while its arguments are read, and the next one hit a probe. */
#define SLOTS 4

struct slot {
	__u32 busy, unused;
	__u64 regs[WP_ARGS_REGS];
	struct wp_args_record record;
};

struct slots {
	struct slot v[SLOTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct slots);
} slots SEC(".maps");

static __always_inline struct slot *take_slot(void)
{
	__u32 zero = 0;
	struct slots *all = bpf_map_lookup_elem(&slots, &zero);

	if (!all)
		return 0;
	for (int i = 0; i < SLOTS; i++)
		if (!__sync_lock_test_and_set(&all->v[i].busy, 1))
			return &all->v[i];
	return 0;
}

static __always_inline __u64 reg_word_of(const struct slot *slot, __u8 reg)
{
	return slot->regs[reg & (WP_ARGS_REGS - 1)];
}

/* Of `size` bytes, to 64 bits. */
static __always_inline __u64 extend(__u64 value, __u8 size, __u8 is_signed)
{
	__u32 unused = 64 - 8 * (__u32)(size & 15);

	if (unused > 63)
		return value;
	value <<= unused;
	return is_signed ? (__u64)((__s64)value >> unused) : value >> unused;
}

static __always_inline int read_operand_value(const struct slot *slot,
					      const struct wp_args_operand *op, __u64 *ret)
{
	__u64 value = (__u64)op->value;

	*ret = 0;
	if (op->kind == WP_ARGS_CONSTANT) {
		*ret = extend(value, op->size, op->is_signed);
		return 0;
	}
	if (op->kind == WP_ARGS_REGISTER) {
		value = reg_word_of(slot, op->base) >> (op->is_high ? 8 : 0);
		*ret = extend(value, op->size, op->is_signed);
		return 0;
	}
	if (op->base != WP_ARGS_NO_REG)
		value += reg_word_of(slot, op->base);
	if (op->index != WP_ARGS_NO_REG)
		value += reg_word_of(slot, op->index) << (op->shift & 7);
	if (bpf_probe_read_user(ret, sizeof(*ret), (void *)value) && op->size < sizeof(*ret)) {
		/* At the end of a page there may be no more than what is wanted. */
		__u32 size = op->size;

		*ret = 0;
		if (size > 4 || bpf_probe_read_user(ret, size, (void *)value))
			return -1;
	} else if (op->size > sizeof(*ret)) {
		return -1;
	}
	*ret = extend(*ret, op->size, op->is_signed);
	return 0;
}

static __always_inline long read_arg_text(void *to, const struct wp_args_operand *op, __u64 from)
{
	long n = -1;

	if (op->text == WP_ARGS_KERNEL_TEXT)
		n = bpf_probe_read_kernel_str(to, WP_ARGS_STRING, (void *)from);
	return n > 0 ? n : bpf_probe_read_user_str(to, WP_ARGS_STRING, (void *)from);
}

/* How many bytes of texts there are. */
static __always_inline __u32 read_args(struct slot *slot, const struct wp_args_place *place)
{
	struct wp_args_head *head = &slot->record.head;
	__u32 at = 0;

	for (__u32 i = 0; i < WP_ARGS_MAX; i++) {
		const struct wp_args_operand *op = &place->operands[i];
		__u64 value;
		long n;

		if (i >= place->n)
			break;
		if (read_operand_value(slot, op, &value))
			head->unread |= 1u << i;
		head->values[i] = value;
		if (!op->text)
			continue;
		asm volatile("%0 &= %1" : "+r"(at) : "i"(WP_ARGS_TEXTS - 1));
		n = read_arg_text(slot->record.texts + at, op, value);
		if (n <= 0 || n > WP_ARGS_STRING) {
			head->unread |= 1u << i;
			n = 0;
		}
		head->values[i] = (__u64)n;
		at += (__u32)n;
	}
	return at;
}

static __always_inline void send_args(void *ctx, struct slot *slot,
				      const struct wp_args_place *place)
{
	struct wp_args_head *head = &slot->record.head;
	__u64 size;

	if (bpf_probe_read_kernel(slot->regs, REGS * sizeof(*slot->regs), ctx))
		return;
	head->event = place->event;
	head->unused = 0;
	head->ip = slot->regs[REG_IP];
	head->n = place->n;
	head->unread = 0;
	size = sizeof(*head) + read_args(slot, place);
	if (size > sizeof(slot->record))
		size = sizeof(slot->record);
	bpf_perf_event_output(ctx, &args_outputs, BPF_F_CURRENT_CPU, &slot->record, size);
}

static __always_inline int is_target(void)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	__u32 tgid = config.pid_ns ? number_in_ns(task->group_leader->thread_pid, config.pid_ns)
				   : (__u32)task->tgid;
	__u32 *found = bpf_map_lookup_elem(&probe_targets, &tgid);

	return found && *found == WP_PROBE_TARGET;
}

SEC("kprobe") int wp_probe_args(void *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	__u32 cpu = (__u32)cookie, number = cookie >> 32;
	struct wp_args_place *place;
	struct slot *slot;

	/* Every CPU's event has the probe, and the programs of all of them are called. */
	if (cpu != WP_ARGS_ANY_CPU && cpu != bpf_get_smp_processor_id() + 1)
		return 0;
	if (config.filtered && !is_target())
		return 0;
	place = bpf_map_lookup_elem(&places, &number);
	slot = place ? take_slot() : 0;
	if (slot) {
		send_args(ctx, slot, place);
		slot->busy = 0;
	}
	bpf_tail_call(ctx, &args_successor, 0);
	return 1;
}
