/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread.h for Windows: MinGW's threads, which have no mask of signals, and know one clock, the
 * wall's (posix_system.c). */
#ifndef WP_WINDOWS_PTHREAD_H
#define WP_WINDOWS_PTHREAD_H

#include <signal.h>

#include_next <pthread.h>

#undef pthread_sigmask
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);

/* `end` is of CLOCK_MONOTONIC, whatever pthread_condattr_setclock() was told. */
int wp_posix_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
			    const struct timespec *end);

#define pthread_cond_timedwait wp_posix_cond_timedwait

#endif
