/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instant_wire: what the BPF program that looks at the threads of a process tells its loader: a
 * record for each, and behind it its kernel stack where that is wanted.
 *
 * Shared by the kernel and user sides, so only fixed-width types and constants.
 */
#ifndef WP_BPF_INSTANT_WIRE_H
#define WP_BPF_INSTANT_WIRE_H

#include <linux/types.h>

#define WP_INSTANT_WORDS  34 /* of struct pt_regs, at most */
#define WP_INSTANT_KERNEL 64 /* frames of a kernel stack: as many as /proc/TID/stack has */

struct wp_instant_record {
	__u32 tid;    /* in the loader's PID namespace */
	__u32 on_cpu; /* it is on one: its registers are those of when it entered the kernel last */
	__u64 turns;  /* how often it got a CPU, as schedstat says */
	__u64 thread_pointer; /* fs base, tpidr_el0; of one on a CPU it may be an old one */
	__u64 words[WP_INSTANT_WORDS]; /* of its struct pt_regs: what user code had */
	__u32 n_kernel; /* so many 64-bit addresses follow, innermost first; 0 of one on a CPU */
	__u32 kernel;	/* the loader's: where they are */
};

#endif
