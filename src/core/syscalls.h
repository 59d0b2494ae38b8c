/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscalls: system calls in which threads wait: their names, and what their arguments say about
 * what is waited for.
 *
 * Core, pure. Numbers are the kernel's (include/uapi/asm-generic/unistd.h, and
 * arch/x86/entry/syscalls/syscall_64.tbl).
 */
#ifndef WP_SYSCALLS_H
#define WP_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

enum wp_syscall_kind {
	WP_SYSCALL_PLAIN,
	WP_SYSCALL_FD,	    /* the first argument is the descriptor */
	WP_SYSCALL_POLL,    /* struct pollfd *, how many */
	WP_SYSCALL_SELECT,  /* how many, three fd_set * */
	WP_SYSCALL_EPOLL,   /* the first argument is the descriptor that watches others */
	WP_SYSCALL_FUTEX,   /* the first argument is the address of the word */
	WP_SYSCALL_PROCESS, /* the first argument is a process, -1 for any child */
};

struct wp_syscall {
	const char *name;
	int16_t x86_64, arm64; /* -1: it is not there */
	enum wp_syscall_kind kind;
	const char *wait; /* what waiting in it is (core/wait_kind.h); NULL: its own name says it */
};

/* NULL: none of those that are known. arch: "x86_64", "aarch64". */
const struct wp_syscall *wp_syscall_find(const char *arch, int64_t number);

#endif
