/* SPDX-License-Identifier: BSD-3-Clause */
/* syscalls: see syscalls.h. */
#include "core/syscalls.h"

#include "base/mem.h"

#include <string.h>

static const struct wp_syscall all[] = {
	{"read", 0, 63, WP_SYSCALL_FD, "read"},
	{"write", 1, 64, WP_SYSCALL_FD, "write"},
	{"open", 2, -1, WP_SYSCALL_PLAIN, NULL},
	{"openat", 257, 56, WP_SYSCALL_PLAIN, NULL},
	{"close", 3, 57, WP_SYSCALL_FD, NULL},
	{"poll", 7, -1, WP_SYSCALL_POLL, "poll"},
	{"ppoll", 271, 73, WP_SYSCALL_POLL, "poll"},
	{"select", 23, -1, WP_SYSCALL_SELECT, "poll"},
	{"pselect6", 270, 72, WP_SYSCALL_SELECT, "poll"},
	{"epoll_wait", 232, -1, WP_SYSCALL_EPOLL, "poll"},
	{"epoll_pwait", 281, 22, WP_SYSCALL_EPOLL, "poll"},
	{"epoll_pwait2", 441, 441, WP_SYSCALL_EPOLL, "poll"},
	{"futex", 202, 98, WP_SYSCALL_FUTEX, "lock"},
	{"futex_wait", 455, 455, WP_SYSCALL_FUTEX, "lock"},
	{"futex_waitv", 449, 449, WP_SYSCALL_PLAIN, "lock"},
	{"nanosleep", 35, 101, WP_SYSCALL_PLAIN, "sleep"},
	{"clock_nanosleep", 230, 115, WP_SYSCALL_PLAIN, "sleep"},
	{"pause", 34, -1, WP_SYSCALL_PLAIN, "signal"},
	{"restart_syscall", 219, 128, WP_SYSCALL_PLAIN, NULL},
	{"rt_sigsuspend", 130, 133, WP_SYSCALL_PLAIN, "signal"},
	{"rt_sigtimedwait", 128, 137, WP_SYSCALL_PLAIN, "signal"},
	{"wait4", 61, 260, WP_SYSCALL_PROCESS, "child"},
	{"waitid", 247, 95, WP_SYSCALL_PLAIN, "child"},
	{"connect", 42, 203, WP_SYSCALL_FD, "connect"},
	{"accept", 43, 202, WP_SYSCALL_FD, "accept"},
	{"accept4", 288, 242, WP_SYSCALL_FD, "accept"},
	{"sendto", 44, 206, WP_SYSCALL_FD, "send"},
	{"recvfrom", 45, 207, WP_SYSCALL_FD, "recv"},
	{"sendmsg", 46, 211, WP_SYSCALL_FD, "send"},
	{"recvmsg", 47, 212, WP_SYSCALL_FD, "recv"},
	{"recvmmsg", 299, 243, WP_SYSCALL_FD, "recv"},
	{"sendmmsg", 307, 269, WP_SYSCALL_FD, "send"},
	{"pread64", 17, 67, WP_SYSCALL_FD, "read"},
	{"pwrite64", 18, 68, WP_SYSCALL_FD, "write"},
	{"readv", 19, 65, WP_SYSCALL_FD, "read"},
	{"writev", 20, 66, WP_SYSCALL_FD, "write"},
	{"preadv", 295, 69, WP_SYSCALL_FD, "read"},
	{"pwritev", 296, 70, WP_SYSCALL_FD, "write"},
	{"sendfile", 40, 71, WP_SYSCALL_FD, NULL},
	{"splice", 275, 76, WP_SYSCALL_FD, NULL},
	{"copy_file_range", 326, 285, WP_SYSCALL_FD, NULL},
	{"ioctl", 16, 29, WP_SYSCALL_FD, NULL},
	{"fcntl", 72, 25, WP_SYSCALL_FD, NULL},
	{"flock", 73, 32, WP_SYSCALL_FD, NULL},
	{"fsync", 74, 82, WP_SYSCALL_FD, "sync"},
	{"fdatasync", 75, 83, WP_SYSCALL_FD, "sync"},
	{"fallocate", 285, 47, WP_SYSCALL_FD, NULL},
	{"getdents64", 217, 61, WP_SYSCALL_FD, NULL},
	{"io_uring_enter", 426, 426, WP_SYSCALL_FD, NULL},
	{"io_getevents", 208, 4, WP_SYSCALL_PLAIN, NULL},
	{"mq_timedsend", 242, 182, WP_SYSCALL_FD, NULL},
	{"mq_timedreceive", 243, 183, WP_SYSCALL_FD, NULL},
	{"msgsnd", 69, 189, WP_SYSCALL_PLAIN, NULL},
	{"msgrcv", 70, 188, WP_SYSCALL_PLAIN, NULL},
	{"semop", 65, 193, WP_SYSCALL_PLAIN, NULL},
	{"semtimedop", 220, 192, WP_SYSCALL_PLAIN, NULL},
	{"clone", 56, 220, WP_SYSCALL_PLAIN, NULL},
	{"vfork", 58, -1, WP_SYSCALL_PLAIN, NULL},
	{"execve", 59, 221, WP_SYSCALL_PLAIN, NULL},
	{"exit", 60, 93, WP_SYSCALL_PLAIN, NULL},
	{"exit_group", 231, 94, WP_SYSCALL_PLAIN, NULL},
	{"mmap", 9, 222, WP_SYSCALL_PLAIN, NULL},
	{"munmap", 11, 215, WP_SYSCALL_PLAIN, NULL},
	{"mprotect", 10, 226, WP_SYSCALL_PLAIN, NULL},
	{"madvise", 28, 233, WP_SYSCALL_PLAIN, NULL},
	{"brk", 12, 214, WP_SYSCALL_PLAIN, NULL},
	{"sync", 162, 81, WP_SYSCALL_PLAIN, "sync"},
	{"syncfs", 306, 267, WP_SYSCALL_FD, "sync"},
	{"getrandom", 318, 278, WP_SYSCALL_PLAIN, NULL},
	{"stat", 4, -1, WP_SYSCALL_PLAIN, NULL},
	{"newfstatat", 262, 79, WP_SYSCALL_PLAIN, NULL},
	{"statx", 332, 291, WP_SYSCALL_PLAIN, NULL},
	{"unlinkat", 263, 35, WP_SYSCALL_PLAIN, NULL},
};

const struct wp_syscall *wp_syscall_find(const char *arch, int64_t number)
{
	bool arm = strcmp(arch, "aarch64") == 0;

	if (number < 0 || (!arm && strcmp(arch, "x86_64") != 0))
		return NULL;
	for (size_t i = 0; i < WP_ARRAY_LEN(all); i++)
		if ((arm ? all[i].arm64 : all[i].x86_64) == number)
			return &all[i];
	return NULL;
}
