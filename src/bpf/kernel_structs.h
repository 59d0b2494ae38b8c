/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_structs: the members of the kernel's own structures that the BPF programs read.
 *
 * Offsets are corrected for the running kernel when the program is loaded (CO-RE), so only names
 * and types matter here.
 */
#ifndef WP_BPF_KERNEL_STRUCTS_H
#define WP_BPF_KERNEL_STRUCTS_H

#ifdef __bpf__

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct super_block {
	unsigned int s_dev;
};

struct inode {
	struct super_block *i_sb;
	unsigned long i_ino;
	long long i_size;
};

struct file {
	struct inode *f_inode;
	const void *f_op;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct thread_info {
	unsigned int status; /* of x86 */
	__u64 preempt_count; /* of arm64: the lower half is */
};

/* x86, Linux 6.2 to 6.14 */
struct pcpu_hot {
	int preempt_count;
};

struct mm_struct {
	void *pgd;
	struct file *exe_file; /* the program's; start_code: where its code is mapped */
	unsigned long start_code;
};

/* A word that may be anywhere. */
struct timespec64 {
	long long tv_sec;
};

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	int nr_threads;
	atomic_t live; /* threads that have not begun to exit */
};

#if defined(__TARGET_ARCH_arm64)
struct thread_struct {
	struct {
		unsigned long tp_value;
	} uw;
};
#define THREAD_POINTER(task) ((task)->thread.uw.tp_value)
/* tp_value is what the register was when the thread was switched out last, maybe before an exec. */
#define IS_ALONE(task) ((task)->signal->nr_threads == 1)
#define TEB(task)      0
#else
struct thread_struct {
	unsigned long fsbase, gsbase;
};
#define THREAD_POINTER(task) ((task)->thread.fsbase)
#define IS_ALONE(task)	     0
/* Wine keeps it for Windows programs; glibc does not use that register. */
#define TEB(task)	     ((task)->thread.gsbase)
#endif

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

/* A process or thread, and its number in each of the namespaces around it, the first one first. */
struct pid {
	unsigned int level;
	struct upid numbers[1]; /* level + 1 */
};

struct sched_info {
	unsigned long pcount;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	int on_cpu;
	struct sched_info sched_info;
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct files_struct *files;
	struct task_struct *real_parent, *group_leader;
	struct pid *thread_pid;
	int pid, tgid;
	/* How often the program of the task, and that of its parent when it forked, was replaced.
	 */
	__u64 self_exec_id, parent_exec_id;
	__u64 start_time;
	struct thread_struct thread;
};

struct perf_sample_data {
	__u64 sample_flags; /* since Linux 6.1; before 6.3 none is valid when a program runs */
	__u64 period;
	struct {
		__u32 pid, tid;
	} tid_entry;
	__u64 time;
	__u64 id;
	struct {
		__u32 cpu;
	} cpu_entry;
	__u64 ip;
};

struct bpf_perf_event_data_kern {
	void *regs;
	struct perf_sample_data *data;
};

#pragma clang attribute pop

#endif

#endif
