/* SPDX-License-Identifier: BSD-3-Clause */
/* syscalls: see syscalls.h. */
#include "core/syscalls.h"

#include "base/mem.h"

#include <string.h>

static const struct wp_syscall all[] = {
	{"read", 0, 63, WP_SYSCALL_FD},
	{"write", 1, 64, WP_SYSCALL_FD},
	{"open", 2, -1, WP_SYSCALL_PLAIN},
	{"openat", 257, 56, WP_SYSCALL_PLAIN},
	{"close", 3, 57, WP_SYSCALL_FD},
	{"poll", 7, -1, WP_SYSCALL_POLL},
	{"ppoll", 271, 73, WP_SYSCALL_POLL},
	{"select", 23, -1, WP_SYSCALL_SELECT},
	{"pselect6", 270, 72, WP_SYSCALL_SELECT},
	{"epoll_wait", 232, -1, WP_SYSCALL_EPOLL},
	{"epoll_pwait", 281, 22, WP_SYSCALL_EPOLL},
	{"epoll_pwait2", 441, 441, WP_SYSCALL_EPOLL},
	{"futex", 202, 98, WP_SYSCALL_FUTEX},
	{"futex_wait", 455, 455, WP_SYSCALL_FUTEX},
	{"futex_waitv", 449, 449, WP_SYSCALL_PLAIN},
	{"nanosleep", 35, 101, WP_SYSCALL_PLAIN},
	{"clock_nanosleep", 230, 115, WP_SYSCALL_PLAIN},
	{"pause", 34, -1, WP_SYSCALL_PLAIN},
	{"restart_syscall", 219, 128, WP_SYSCALL_PLAIN},
	{"rt_sigsuspend", 130, 133, WP_SYSCALL_PLAIN},
	{"rt_sigtimedwait", 128, 137, WP_SYSCALL_PLAIN},
	{"wait4", 61, 260, WP_SYSCALL_PROCESS},
	{"waitid", 247, 95, WP_SYSCALL_PLAIN},
	{"connect", 42, 203, WP_SYSCALL_FD},
	{"accept", 43, 202, WP_SYSCALL_FD},
	{"accept4", 288, 242, WP_SYSCALL_FD},
	{"sendto", 44, 206, WP_SYSCALL_FD},
	{"recvfrom", 45, 207, WP_SYSCALL_FD},
	{"sendmsg", 46, 211, WP_SYSCALL_FD},
	{"recvmsg", 47, 212, WP_SYSCALL_FD},
	{"recvmmsg", 299, 243, WP_SYSCALL_FD},
	{"sendmmsg", 307, 269, WP_SYSCALL_FD},
	{"pread64", 17, 67, WP_SYSCALL_FD},
	{"pwrite64", 18, 68, WP_SYSCALL_FD},
	{"readv", 19, 65, WP_SYSCALL_FD},
	{"writev", 20, 66, WP_SYSCALL_FD},
	{"preadv", 295, 69, WP_SYSCALL_FD},
	{"pwritev", 296, 70, WP_SYSCALL_FD},
	{"sendfile", 40, 71, WP_SYSCALL_FD},
	{"splice", 275, 76, WP_SYSCALL_FD},
	{"copy_file_range", 326, 285, WP_SYSCALL_FD},
	{"ioctl", 16, 29, WP_SYSCALL_FD},
	{"fcntl", 72, 25, WP_SYSCALL_FD},
	{"flock", 73, 32, WP_SYSCALL_FD},
	{"fsync", 74, 82, WP_SYSCALL_FD},
	{"fdatasync", 75, 83, WP_SYSCALL_FD},
	{"fallocate", 285, 47, WP_SYSCALL_FD},
	{"getdents64", 217, 61, WP_SYSCALL_FD},
	{"io_uring_enter", 426, 426, WP_SYSCALL_FD},
	{"io_getevents", 208, 4, WP_SYSCALL_PLAIN},
	{"mq_timedsend", 242, 182, WP_SYSCALL_FD},
	{"mq_timedreceive", 243, 183, WP_SYSCALL_FD},
	{"msgsnd", 69, 189, WP_SYSCALL_PLAIN},
	{"msgrcv", 70, 188, WP_SYSCALL_PLAIN},
	{"semop", 65, 193, WP_SYSCALL_PLAIN},
	{"semtimedop", 220, 192, WP_SYSCALL_PLAIN},
	{"clone", 56, 220, WP_SYSCALL_PLAIN},
	{"vfork", 58, -1, WP_SYSCALL_PLAIN},
	{"execve", 59, 221, WP_SYSCALL_PLAIN},
	{"exit", 60, 93, WP_SYSCALL_PLAIN},
	{"exit_group", 231, 94, WP_SYSCALL_PLAIN},
	{"mmap", 9, 222, WP_SYSCALL_PLAIN},
	{"munmap", 11, 215, WP_SYSCALL_PLAIN},
	{"mprotect", 10, 226, WP_SYSCALL_PLAIN},
	{"madvise", 28, 233, WP_SYSCALL_PLAIN},
	{"brk", 12, 214, WP_SYSCALL_PLAIN},
	{"sync", 162, 81, WP_SYSCALL_PLAIN},
	{"syncfs", 306, 267, WP_SYSCALL_FD},
	{"getrandom", 318, 278, WP_SYSCALL_PLAIN},
	{"stat", 4, -1, WP_SYSCALL_PLAIN},
	{"newfstatat", 262, 79, WP_SYSCALL_PLAIN},
	{"statx", 332, 291, WP_SYSCALL_PLAIN},
	{"unlinkat", 263, 35, WP_SYSCALL_PLAIN},
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
