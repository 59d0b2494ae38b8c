/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_kind: what a thread waits for, as far as the system call says it that it is in.
 *
 * Core, pure. Kinds are "gil", "lock", "poll", "read", "write", "recv", "send", "accept",
 * "connect", "sleep", "child", "sync", "signal", "page fault", "preempted", "stopped", "short",
 * "32-bit call" (whose numbers are not told apart), "unknown"; a system call that is none of those
 * is called by its name, or "call 321".
 */
#ifndef WP_WAIT_KIND_H
#define WP_WAIT_KIND_H

#include "core/stack.h"
#include "core/wait.h"

/*
 * Fills in kind, call, fd, argument and inode of a payload that wp_wait_fill() made. arch: whose
 * numbers the call has ("x86_64", "aarch64").
 */
void wp_wait_kind_fill(const char *arch, enum wp_wait_state state, const struct wp_stack_call *call,
		       struct wp_wait_payload *ret);

/*
 * A sleep, a poll or a futex that a signal interrupted without a handler goes on as
 * restart_syscall(2), with its first argument still there: makes `call` that one again, when it is
 * `before`, the last call that the thread was seen in. What cannot be told stays restart_syscall.
 */
void wp_wait_kind_restart(const char *arch, const struct wp_stack_call *before,
			  struct wp_stack_call *call);

#endif
