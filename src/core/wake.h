/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wake: what the kernel says of who ends a wait, at sched:sched_waking.
 *
 * Core noun, shared with BPF: made by bpf/walk_wakers.h, in the context of whoever wakes a thread;
 * the raw data of a sample of the event `wakers`. Its stack, if it was walked, comes before it.
 */
#ifndef WP_WAKE_H
#define WP_WAKE_H

#include <linux/types.h>

#define WP_WAKE_IPS  64 /* of the kernel, innermost first */
#define WP_WAKE_COMM 16 /* TASK_COMM_LEN */

/* Who it is. */
enum wp_wake_context {
	WP_WAKE_TASK,	   /* a thread, for itself */
	WP_WAKE_INTERRUPT, /* what is told of a thread is of the one that was interrupted */
	WP_WAKE_SOFTIRQ,
	WP_WAKE_UNTOLD, /* this kernel does not let a program see that: what it is ips tell */
};

struct wp_wake {
	__u32 wakee;   /* thread, as the kernel's first PID namespace numbers it */
	__u32 context; /* enum wp_wake_context */
	__u32 walked;  /* the thread's user stack was walked */
	__u32 kernel;  /* it is a thread of the kernel's */
	char comm[WP_WAKE_COMM];
	__u32 n_ips; /* a thread that is told to be one, and none of the kernel's, has none */
	__u32 unused;
	__u64 ips[WP_WAKE_IPS]; /* as far as they are filled */
};

/* Bytes of one with so many ips. */
#define WP_WAKE_BYTES(n) (__builtin_offsetof(struct wp_wake, ips) + (n) * sizeof(__u64))

#endif
