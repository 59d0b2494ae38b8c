/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_kind: see wait_kind.h. */
#include "core/wait_kind.h"

#include "core/syscalls.h"

#include <stdio.h>
#include <string.h>

static void set_kind(const char *kind, struct wp_wait_payload *ret)
{
	snprintf(ret->kind, sizeof(ret->kind), "%s", kind);
}

/* select() of no descriptors, poll() of no array: a sleep, as time.sleep() of CPython up to 3.10.
 */
static bool watches_nothing(const struct wp_syscall *known, uint64_t argument)
{
	return (known->kind == WP_SYSCALL_SELECT || known->kind == WP_SYSCALL_POLL) && !argument;
}

static void set_descriptor(const struct wp_stack_call *call, struct wp_wait_payload *ret)
{
	int32_t fd = (int32_t)call->argument;

	if (fd < 0)
		return;
	ret->fd = fd;
	ret->inode = call->inode;
}

static void set_call(const char *arch, const struct wp_stack_call *call,
		     struct wp_wait_payload *ret)
{
	const struct wp_syscall *known = wp_syscall_find(arch, call->number);

	ret->call = call->number;
	ret->argument = call->argument;
	if (!known) {
		snprintf(ret->kind, sizeof(ret->kind), "call %d", call->number);
		return;
	}
	if (watches_nothing(known, call->argument))
		set_kind("sleep", ret);
	else
		set_kind(known->wait ? known->wait : known->name, ret);
	if (known->kind == WP_SYSCALL_FD || known->kind == WP_SYSCALL_EPOLL)
		set_descriptor(call, ret);
}

void wp_wait_kind_fill(const char *arch, enum wp_wait_state state, const struct wp_stack_call *call,
		       struct wp_wait_payload *ret)
{
	if (call->known && call->number >= 0)
		set_call(arch, call, ret);
	else if (call->known && call->number == WP_STACK_CALL_OTHER)
		set_kind("32-bit call", ret);
	else if (call->known)
		set_kind("page fault", ret);
	/* Whatever it was about to do: it does not wait for that. */
	if (wp_wait_says_kind(state)) {
		set_kind(wp_wait_state_name(state), ret);
		ret->fd = -1;
		ret->inode = 0;
	}
}

/* Calls that the kernel sets a restart block for: hrtimer_nanosleep(), do_restart_poll(),
 * futex_wait(). */
static bool may_restart(const struct wp_syscall *known)
{
	return known && known->wait &&
	       (strcmp(known->wait, "sleep") == 0 || known->kind == WP_SYSCALL_POLL ||
		known->kind == WP_SYSCALL_FUTEX);
}

void wp_wait_kind_restart(const char *arch, const struct wp_stack_call *before,
			  struct wp_stack_call *call)
{
	const struct wp_syscall *known = arch ? wp_syscall_find(arch, call->number) : NULL;

	if (known && strcmp(known->name, "restart_syscall") == 0 && before->known &&
	    before->argument == call->argument &&
	    may_restart(wp_syscall_find(arch, before->number)))
		*call = *before;
}
