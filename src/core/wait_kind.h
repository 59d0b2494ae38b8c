/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_kind: what a thread waits for, as far as the system call says it that it is in.
 *
 * Core, pure. Kinds are "gil", "lock", "poll", "read", "write", "recv", "send", "accept",
 * "connect", "sleep", "child", "sync", "signal", "page fault", "preempted", "stopped", "short",
 * "unknown"; a system call that is none of those is called by its name, or "call 321".
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

#endif
