/* SPDX-License-Identifier: BSD-3-Clause */
/* signal.h for Windows: handlers of POSIX over those of C (posix_system.c). A thread has no mask of
 * them. */
#ifndef WP_WINDOWS_SIGNAL_H
#define WP_WINDOWS_SIGNAL_H

#include_next <signal.h>

#define SIGKILL	    9
#define SIGUSR1	    10
#define SIGUSR2	    12
#define SIGPIPE	    13
#define SIG_BLOCK   0
#define SIG_SETMASK 2

typedef unsigned int sigset_t;

struct sigaction {
	void (*sa_handler)(int number);
	int sa_flags;
};

int sigaction(int number, const struct sigaction *action, struct sigaction *before);
int sigfillset(sigset_t *set);

#endif
