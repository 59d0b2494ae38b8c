/* SPDX-License-Identifier: BSD-3-Clause */
/* syscalls: the numbers of this machine's headers. */
#include "check.h"

#include "core/syscalls.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

static void check_call(const char *name, long number, enum wp_syscall_kind kind)
{
	struct utsname here;
	const struct wp_syscall *call;

	CHECK(uname(&here) == 0);
	call = wp_syscall_find(here.machine, number);
	if (!call) {
		CHECK(strcmp(here.machine, "x86_64") != 0 && strcmp(here.machine, "aarch64") != 0);
		return;
	}
	CHECK_STR(call->name, name);
	CHECK_U64(call->kind, kind);
}

#define CHECK_CALL(name, kind) check_call(#name, SYS_##name, WP_SYSCALL_##kind)

static void test_numbers(void)
{
	CHECK_CALL(read, FD);
	CHECK_CALL(write, FD);
	CHECK_CALL(ppoll, POLL);
	CHECK_CALL(pselect6, SELECT);
	CHECK_CALL(epoll_pwait, EPOLL);
	CHECK_CALL(futex, FUTEX);
	CHECK_CALL(nanosleep, PLAIN);
	CHECK_CALL(clock_nanosleep, PLAIN);
	CHECK_CALL(wait4, PROCESS);
	CHECK_CALL(waitid, PLAIN);
	CHECK_CALL(connect, FD);
	CHECK_CALL(accept, FD);
	CHECK_CALL(accept4, FD);
	CHECK_CALL(sendto, FD);
	CHECK_CALL(recvfrom, FD);
	CHECK_CALL(sendmsg, FD);
	CHECK_CALL(recvmsg, FD);
	CHECK_CALL(recvmmsg, FD);
	CHECK_CALL(sendmmsg, FD);
	CHECK_CALL(pread64, FD);
	CHECK_CALL(pwrite64, FD);
	CHECK_CALL(readv, FD);
	CHECK_CALL(writev, FD);
	CHECK_CALL(sendfile, FD);
	CHECK_CALL(splice, FD);
	CHECK_CALL(ioctl, FD);
	CHECK_CALL(fcntl, FD);
	CHECK_CALL(flock, FD);
	CHECK_CALL(fsync, FD);
	CHECK_CALL(io_getevents, PLAIN);
	CHECK_CALL(mq_timedreceive, FD);
	CHECK_CALL(msgrcv, PLAIN);
	CHECK_CALL(semtimedop, PLAIN);
	CHECK_CALL(rt_sigtimedwait, PLAIN);
	CHECK_CALL(rt_sigsuspend, PLAIN);
	CHECK_CALL(restart_syscall, PLAIN);
	CHECK_CALL(copy_file_range, FD);
	CHECK_CALL(getdents64, FD);
	CHECK_CALL(statx, PLAIN);
	CHECK_CALL(openat, PLAIN);
}

static void test_none(void)
{
	CHECK(!wp_syscall_find("x86_64", -1));
	CHECK(!wp_syscall_find("aarch64", -1));
	CHECK(!wp_syscall_find("x86_64", 1 << 20));
	CHECK(!wp_syscall_find("riscv64", 0));
	CHECK_STR(wp_syscall_find("aarch64", 63)->name, "read");
	CHECK_STR(wp_syscall_find("x86_64", 7)->name, "poll");
	CHECK(wp_syscall_find("x86_64", 7)->kind == WP_SYSCALL_POLL);
}

int main(void)
{
	RUN(test_numbers);
	RUN(test_none);
	return check_done();
}
