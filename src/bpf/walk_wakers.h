/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_wakers: who wakes threads, at sched:sched_waking, in the context of whoever does it.
 *
 * Part of walk.bpf.c. Threads that met a tracepoint (they are switched out) are known by number;
 * waking any other one costs a look at a map. A thread that wakes has its stack walked as at any
 * tracepoint, by the program that this one hands over to; then a struct wp_wake follows in perf's
 * ring, as a sample of its own.
 */
#ifndef WP_BPF_WALK_WAKERS_H
#define WP_BPF_WALK_WAKERS_H

#include "bpf/walk_state.h"
#include "core/wake.h"

/* Bits of preempt_count (include/linux/preempt.h). Bottom halves that a thread only keeps away
 * (another bit) are no context of their own. */
#define SERVING_SOFTIRQ 0x00000100
#define HARDIRQ_OR_NMI	0x00ff0000

/* What the kernel gives a program at sched_waking (include/trace/events/sched.h). */
struct waking_args {
	__u64 common;
	char comm[16];
	__s32 pid;
};

/* Threads whose waits are followed. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256); /* the loader says */
	__type(key, __u32);
	__type(value, __u32);
} waiters SEC(".maps");

/* Per CPU, the event `wakers`. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} waker_outputs SEC(".maps");

/* The program that walks stacks at tracepoints. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} waking_successor SEC(".maps");

struct waking {
	__u32 pending; /* the walk is of who wakes */
	__u32 looked;  /* the tracepoint's program was called for the one that is woken now */
	__u64 serial;  /* of the CPU's last walk before */
	struct wp_wake wake;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2); /* of the tracepoint's program, and of the one behind it */
	__type(key, __u32);
	__type(value, struct waking);
} wakings SEC(".maps");

static __always_inline struct waking *waking_of_cpu(__u32 behind)
{
	return bpf_map_lookup_elem(&wakings, &behind);
}

#if defined(__TARGET_ARCH_arm64)
static __always_inline int read_preempt_count(const struct task_struct *task, __u32 *ret)
{
	*ret = (__u32)BPF_CORE_READ(task, thread_info.preempt_count);
	return 0;
}
#else
/*
 * By addresses that the loader says: for a variable that a program names, libbpf asks for the types
 * of modules where the kernel has none of that name, which needs CAP_SYS_ADMIN, whether the program
 * is loaded or not.
 */
static __always_inline int read_preempt_count(const struct task_struct *task, __u32 *ret)
{
	__u64 at = config.counts.at, offset;

	(void)task;
	if (!config.counts.offsets)
		return -1;
	if (config.counts.in_hot && bpf_core_type_exists(struct pcpu_hot))
		at += bpf_core_field_offset(struct pcpu_hot, preempt_count);
	if (bpf_probe_read_kernel(&offset, sizeof(offset),
				  (const void *)(config.counts.offsets +
						 bpf_get_smp_processor_id() * sizeof(offset))))
		return -1;
	return (int)bpf_probe_read_kernel(ret, sizeof(*ret), (const void *)(offset + at));
}
#endif

static __always_inline __u32 context_of(const struct task_struct *task)
{
	__u32 count;

	if (!task->pid) /* an idle CPU's wakes nobody by itself */
		return WP_WAKE_INTERRUPT;
	if (read_preempt_count(task, &count))
		return WP_WAKE_UNTOLD;
	if (count & HARDIRQ_OR_NMI)
		return WP_WAKE_INTERRUPT;
	return count & SERVING_SOFTIRQ ? WP_WAKE_SOFTIRQ : WP_WAKE_TASK;
}

/* The current thread is to be waited for: it stops now, or may later. */
static __always_inline void follow_waiter(void)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), one = 1;

	if (config.wakers && !bpf_map_lookup_elem(&waiters, &tid))
		bpf_map_update_elem(&waiters, &tid, &one, BPF_ANY);
}

static __always_inline void fill_wake(struct waking *waking, const struct task_struct *task,
				      __u32 wakee, void *ctx)
{
	struct wp_wake *wake = &waking->wake;
	long bytes = 0;

	wake->wakee = wakee;
	wake->context = context_of(task);
	wake->walked = 0;
	wake->kernel = (task->flags & PF_KTHREAD) != 0;
	bpf_get_current_comm(wake->comm, sizeof(wake->comm));
	if (wake->context != WP_WAKE_TASK || wake->kernel)
		bytes = bpf_get_stack(ctx, wake->ips, sizeof(wake->ips), 0);
	wake->n_ips = bytes > 0 ? (__u32)bytes / sizeof(*wake->ips) : 0;
}

static __always_inline void emit_wake(struct waking *waking, void *ctx)
{
	__u64 n = waking->wake.n_ips;

	/* Linux 6.1 forgets the bound of what clang compares as 32 bits and adds as 64. */
	asm volatile("" : "+r"(n));
	if (n > WP_WAKE_IPS)
		n = WP_WAKE_IPS;
	bpf_perf_event_output(ctx, &waker_outputs, BPF_F_CURRENT_CPU, &waking->wake,
			      WP_WAKE_BYTES(n));
}

/* Behind the walk that was asked for; whether there is one its number tells. */
static __always_inline void finish_waking(void *ctx)
{
	struct waking *waking = config.wakers ? waking_of_cpu(0) : NULL;
	const struct walk *w = walk_of_cpu();

	if (!waking || !w || !waking->pending)
		return;
	waking->pending = 0;
	waking->wake.walked = w->serial != waking->serial;
	emit_wake(waking, ctx);
}

/* Interrupts are off: nobody comes in between but what is no thread's (NMIs). */
static __always_inline void take_waking(struct waking_args *ctx)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct waking *waking = waking_of_cpu(0);
	const struct walk *w = walk_of_cpu();
	__u32 wakee = (__u32)ctx->pid;

	if (!waking)
		return;
	waking->looked = 1;
	if (!w || !bpf_map_lookup_elem(&waiters, &wakee))
		return;
	fill_wake(waking, task, wakee, ctx);
	if ((waking->wake.context == WP_WAKE_TASK || waking->wake.context == WP_WAKE_UNTOLD) &&
	    !waking->wake.kernel) {
		waking->serial = w->serial;
		waking->pending = 1;
		bpf_tail_call(ctx, &waking_successor, 0);
		waking->pending = 0;
	}
	emit_wake(waking, ctx);
}

/*
 * While another program of an event is at work on the CPU, or a system call changes a map, the
 * kernel leaves out the programs of tracepoints' events (bpf_prog_active), but not this one, a raw
 * one, which comes behind since it was attached later. Who wakes then has no stack of user code:
 * nearly always it is an interrupt.
 */
static __always_inline void take_waking_behind(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	const struct task_struct *woken = (const void *)ctx->args[0];
	struct waking *before = waking_of_cpu(0), *waking = waking_of_cpu(1);
	__u32 wakee, looked;

	if (!before || !waking)
		return;
	looked = before->looked;
	before->looked = 0;
	if (looked)
		return;
	wakee = (__u32)BPF_CORE_READ(woken, pid);
	if (!bpf_map_lookup_elem(&waiters, &wakee))
		return;
	fill_wake(waking, task, wakee, ctx);
	emit_wake(waking, ctx);
}

#endif
