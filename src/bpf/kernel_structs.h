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

struct mm_struct;

struct task_struct {
	unsigned int flags;
	struct mm_struct *mm;
	struct task_struct *real_parent;
	int tgid;
};

struct perf_sample_data {
	__u64 sample_flags; /* since Linux 6.1; before 6.3 none is valid when a program runs */
	__u64 time;
	__u64 id;
};

struct bpf_perf_event_data_kern {
	void *regs;
	struct perf_sample_data *data;
};

#pragma clang attribute pop

#endif

#endif
