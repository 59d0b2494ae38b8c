/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* walk_number: the number that the loader knows a process by, when it is in a PID namespace. */
#ifndef WP_BPF_WALK_NUMBER_H
#define WP_BPF_WALK_NUMBER_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/kernel_structs.h"

/* A process that is deeper in PID namespaces is not looked for in one. A power of two. */
#define NAMESPACES 8

/* The number of a process in the loader's PID namespace; 0: it has none. */
static __noinline __u32 number_in_ns(const struct pid *pid, __u32 pid_ns)
{
	struct upid numbers[NAMESPACES];
	__u64 size;
	__u32 n, inum;

	if (!pid)
		return 0;
	n = pid->level + 1;
	size = n * sizeof(*numbers);
	if (size >= sizeof(numbers))
		return 0;
	asm volatile("%0 &= %1" : "+r"(size) : "i"(sizeof(numbers) - 1));
	if (bpf_probe_read_kernel(numbers, size, &pid->numbers))
		return 0;
#pragma unroll
	for (__u32 i = 0; i < NAMESPACES; i++)
		if (i < n && !bpf_core_read(&inum, sizeof(inum), &numbers[i].ns->ns.inum) &&
		    inum == pid_ns)
			return numbers[i].nr;
	return 0;
}

#endif
