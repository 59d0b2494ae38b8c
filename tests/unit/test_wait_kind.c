/* SPDX-License-Identifier: BSD-3-Clause */
/* test_wait_kind: what a system call says of a wait; the numbers are those of the kernel's tables.
 */
#include "core/wait_kind.h"

#include "check.h"

#include <string.h>

static struct wp_wait_payload kind_of(const char *arch, enum wp_wait_state state, int32_t number,
				      uint64_t argument)
{
	struct wp_stack_call call = {
		.known = true, .number = number, .argument = argument, .inode = 77};
	struct wp_wait_payload ret;

	wp_wait_fill(state, 1, 5, &ret);
	wp_wait_kind_fill(arch, state, &call, &ret);
	return ret;
}

static const char *name_of(const char *arch, int32_t number, uint64_t argument)
{
	static struct wp_wait_payload ret;

	ret = kind_of(arch, WP_WAIT_INTERRUPTIBLE, number, argument);
	return ret.kind;
}

static void test_calls(void)
{
	CHECK_STR(name_of("x86_64", 202, 0x7000), "lock");
	CHECK_STR(name_of("aarch64", 98, 0x7000), "lock");
	CHECK_STR(name_of("x86_64", 230, 0), "sleep");
	CHECK_STR(name_of("aarch64", 101, 0x7000), "sleep");
	CHECK_STR(name_of("x86_64", 61, (uint64_t)-1), "child");
	CHECK_STR(name_of("x86_64", 23, 4), "poll");
	CHECK_STR(name_of("x86_64", 23, 0), "sleep"); /* select() of no descriptor */
	CHECK_STR(name_of("x86_64", 16, 3), "ioctl");
	CHECK_STR(name_of("x86_64", 321, 3), "call 321");
	CHECK_STR(name_of("x86_64", -1, 3), "page fault");
	CHECK_STR(name_of("x86_64", WP_STACK_CALL_OTHER, 3), "32-bit call");
}

static void test_descriptors(void)
{
	struct wp_wait_payload wait = kind_of("x86_64", WP_WAIT_INTERRUPTIBLE, 0, 4);

	CHECK_STR(wait.kind, "read");
	CHECK(wait.fd == 4 && wait.inode == 77 && wait.call == 0 && wait.argument == 4);
	wait = kind_of("x86_64", WP_WAIT_PREEMPTED, 0, 4); /* it was about to read */
	CHECK_STR(wait.kind, "preempted");
	CHECK(wait.fd == -1 && wait.inode == 0);
	wait = kind_of("x86_64", WP_WAIT_GIL, 202, 4);
	CHECK_STR(wait.kind, "gil");
	wait = kind_of("x86_64", WP_WAIT_INTERRUPTIBLE, 202, 4); /* an address is no descriptor */
	CHECK(wait.fd == -1 && wait.inode == 0);
	wait = kind_of("x86_64", WP_WAIT_INTERRUPTIBLE, 0, UINT64_MAX);
	CHECK(wait.fd == -1);
}

static void test_unknown(void)
{
	struct wp_wait_payload wait;

	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 1, 5, &wait);
	wp_wait_kind_fill("x86_64", WP_WAIT_INTERRUPTIBLE, &(struct wp_stack_call){0}, &wait);
	CHECK_STR(wait.kind, "unknown");
}

/* restart_syscall(2) is 219; what was interrupted is known when the argument is still there. */
static int32_t restarted(struct wp_stack_call before, uint64_t argument)
{
	struct wp_stack_call call = {.known = true, .number = 219, .argument = argument};

	wp_wait_kind_restart("x86_64", &before, &call);
	return call.number;
}

static void test_restart(void)
{
	struct wp_stack_call nap = {.known = true, .number = 35, .argument = 0x7000};
	struct wp_stack_call polls = {.known = true, .number = 7, .argument = 0x7000};
	struct wp_stack_call reads = {.known = true, .number = 0, .argument = 0x7000};

	CHECK(restarted(nap, 0x7000) == 35);
	CHECK(restarted(polls, 0x7000) == 7);
	CHECK(restarted(nap, 0x7008) == 219);
	CHECK(restarted(reads, 0x7000) == 219); /* which begins again by its own number */
	CHECK(restarted((struct wp_stack_call){0}, 0) == 219);
	wp_wait_kind_restart("x86_64", &nap, &polls);
	CHECK(polls.number == 7);
}

int main(void)
{
	RUN(test_calls);
	RUN(test_descriptors);
	RUN(test_unknown);
	RUN(test_restart);
	return check_done();
}
