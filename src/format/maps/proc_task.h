/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc_task: where a thread is, out of /proc/TID/syscall, and how often it ran, out of
 * /proc/TID/schedstat: from text to plain values.
 *
 * Format stage; pure. proc_pid_syscall(5), Documentation/scheduler/sched-stats.rst.
 */
#ifndef WP_PROC_TASK_H
#define WP_PROC_TASK_H

#include <stdbool.h>
#include <stdint.h>

#define WP_PROC_TASK_ARGS 6

enum wp_proc_task_kind {
	WP_PROC_TASK_RUNS,   /* or waits for a CPU: nothing else is told */
	WP_PROC_TASK_STANDS, /* outside of a system call: sp and ip only */
	WP_PROC_TASK_WAITS,  /* in a system call */
};

struct wp_proc_task {
	enum wp_proc_task_kind kind;
	int64_t call;
	uint64_t args[WP_PROC_TASK_ARGS];
	uint64_t sp, ip;
};

/* The text of /proc/TID/syscall. False, and *ret undefined: it says none of this. */
bool wp_proc_task_place(const char *syscall, struct wp_proc_task *ret);
/* How often the thread has got a CPU; false: the kernel does not count. The text of
 * /proc/TID/schedstat. */
bool wp_proc_task_turns(const char *schedstat, uint64_t *ret);

#endif
