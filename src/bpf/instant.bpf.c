/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * instant: the registers that the threads of a process left user code with, and how often each of
 * them got a CPU, and where in the kernel they are; whoever reads the iterator gets a record for
 * each thread.
 */
#include "bpf/instant_wire.h"
#include "bpf/walk_number.h"

#if defined(__TARGET_ARCH_arm64)
enum { WORDS = 34 };
#else
enum { WORDS = 21 };
#endif

#define PF_KTHREAD 0x00200000 /* include/linux/sched.h */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* The PID namespace that processes are named in; 0: the first one. */
const volatile __u32 pid_ns SEC(".rodata") = 0;
/* Kernel stacks are wanted. */
const volatile __u32 with_kernel SEC(".rodata") = 0;
__u32 wanted_pid = 0; /* the loader's, before each look */

#define KERNEL_BYTES (WP_INSTANT_KERNEL * 8ull) /* a power of two */

/* Of the task at hand: one loader, one look at a time. Twice as large: a mask is its bound. */
static __u8 kernel[2 * KERNEL_BYTES] __attribute__((aligned(8)));

/* Its kernel stack; returns how many bytes that has, at most KERNEL_BYTES. */
static __always_inline __u64 take_kernel(struct task_struct *task)
{
	long bytes = bpf_get_task_stack(task, kernel, KERNEL_BYTES, 0);

	return bytes > 0 ? bytes : 0;
}

static __always_inline __u32 number_of(const struct pid *pid, int number)
{
	return pid_ns ? number_in_ns(pid, pid_ns) : (__u32)number;
}

SEC("iter/task") int wp_instant_task(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *task = ctx->task;
	struct wp_instant_record record = {};
	const void *regs;
	__u64 bytes = 0;

	if (!task || task->flags & PF_KTHREAD)
		return 0;
	if (number_of(task->group_leader->thread_pid, task->tgid) != wanted_pid)
		return 0;
	/* On no CPU, and then the registers: if it gets one in between, the number is another. */
	record.turns = BPF_CORE_READ(task, sched_info.pcount);
	record.on_cpu = BPF_CORE_READ(task, on_cpu) != 0;
	record.tid = number_of(task->thread_pid, task->pid);
	record.thread_pointer = THREAD_POINTER(task);
	regs = (const void *)bpf_task_pt_regs(task);
	if (bpf_probe_read_kernel(record.words, WORDS * sizeof(record.words[0]), regs))
		return 0;
	if (with_kernel && !record.on_cpu)
		bytes = take_kernel(task);
	if (BPF_CORE_READ(task, sched_info.pcount) != record.turns)
		record.on_cpu = 1;
	if (record.on_cpu)
		bytes = 0;
	record.n_kernel = bytes / 8;
	bpf_seq_write(seq, &record, sizeof(record));
	asm volatile("%0 &= %1" : "+r"(bytes) : "i"(sizeof(kernel) - 1));
	if (bytes)
		bpf_seq_write(seq, kernel, bytes);
	return 0;
}
