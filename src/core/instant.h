/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instant: a thread as it was found at one instant, without being stopped.
 *
 * Core, plain data. Made by source/instant; everything is borrowed from the reader until its next
 * call. What was copied is of one instant when it is PROVEN: the thread slept, and was on no CPU,
 * from before the first read until behind the last one.
 */
#ifndef WP_INSTANT_H
#define WP_INSTANT_H

#include "core/python_plan.h"
#include "core/stack.h"
#include "core/syscalls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_INSTANT_ARGS 6
#define WP_INSTANT_NAME 64 /* bytes of a name, its NUL with them */

#define WP_INSTANT_FDS	8 /* descriptors that are told, at most */
#define WP_INSTANT_PATH 256

struct wp_instant_fd {
	int fd;
	char name[WP_INSTANT_PATH]; /* what it is: a path, "pipe:[7]"; cut; "": not known */
};

enum wp_instant_proof {
	WP_INSTANT_PROVEN,
	WP_INSTANT_RAN,	      /* it ran meanwhile: what was read may be of several moments */
	WP_INSTANT_NOT_KNOWN, /* the kernel does not count how often it ran */
};

struct wp_instant {
	uint32_t pid, tid;
	char name[WP_INSTANT_NAME]; /* as the kernel knows the thread; any bytes */
	char state;		    /* of proc_pid_stat(5): R, S, D ...; 0: not known */
	enum wp_instant_proof proof;
	bool has_place; /* ip and sp are known */
	uint64_t ip, sp;
	bool has_regs; /* all others, too */
	struct wp_stack_regs regs;
	const uint64_t *kernel; /* where in the kernel it is, innermost first */
	uint32_t n_kernel;	/* 0: not known, not asked for, or it is not in it */
	bool kernel_cut;	/* there may be more of them */
	bool in_call;		/* it waits in that system call */
	int64_t call;
	uint64_t args[WP_INSTANT_ARGS];
	const struct wp_syscall *known; /* the call, when it is one of core/syscalls.h; or NULL */
	struct wp_instant_fd fds[WP_INSTANT_FDS]; /* what it waits for; of an epoll itself first */
	uint32_t n_fds;
	bool more_fds;		     /* there are more of them */
	char where[WP_INSTANT_NAME]; /* the kernel's function it sleeps in (wchan); "": not told */
	const uint8_t *stack;	     /* a copy from sp upwards */
	size_t stack_bytes;
	const struct wp_python_slot *python;
	size_t n_python; /* 0: no interpreter is known in its process */
	bool ended;	 /* a core's: its process is no more; then state is not known */
	uint32_t signal; /* that it took then; 0: none */
};

#endif
