/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * instant: the registers that the threads of a process left user code with, and how often each of
 * them got a CPU; whoever reads the iterator gets a record for each thread.
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
__u32 wanted_pid = 0; /* the loader's, before each look */

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
	if (BPF_CORE_READ(task, sched_info.pcount) != record.turns)
		record.on_cpu = 1;
	bpf_seq_write(seq, &record, sizeof(record));
	return 0;
}
