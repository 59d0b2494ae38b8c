/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry: a child stopped where its program begins: the dynamic linker has mapped all that the
 * program was linked with, and nothing of the program itself has run.
 *
 * By ptrace(2) and a hardware breakpoint at AT_ENTRY, so that no byte of the program is changed and
 * what it forks meanwhile is not touched. Where the kernel refuses (another tracer, Yama, no
 * breakpoints), the child just runs. One thread does all calls.
 */
#ifndef WP_ENTRY_H
#define WP_ENTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum wp_entry_state {
	WP_ENTRY_OFF,	  /* not traced */
	WP_ENTRY_EXECS,	  /* runs; its next exec is waited for */
	WP_ENTRY_LINKS,	  /* the dynamic linker runs */
	WP_ENTRY_STOPPED, /* it stands there */
	WP_ENTRY_LEAVING, /* runs, and is let alone at its next stop */
};

/* All zero is off. */
struct wp_entry {
	pid_t pid;
	enum wp_entry_state state;
	int refused; /* errno: why a program was not stopped; 0: none was refused */
};

/* Follows a child that has not yet become its program. False: refused, it is off. */
bool wp_entry_follow(struct wp_entry *entry, pid_t pid);
/* A wait status of the child for which WIFSTOPPED() holds. */
void wp_entry_stopped(struct wp_entry *entry, int wait_status);
/* Lets a stopped child run; `more`: it may become another program, which is stopped, too. */
void wp_entry_release(struct wp_entry *entry, bool more);
/* Lets the child alone, wherever it is. */
void wp_entry_leave(struct wp_entry *entry);

#endif
