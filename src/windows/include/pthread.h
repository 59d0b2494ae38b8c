/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread.h for Windows: MinGW's threads, which have no mask of signals. */
#ifndef WP_WINDOWS_PTHREAD_H
#define WP_WINDOWS_PTHREAD_H

#include <signal.h>

#include_next <pthread.h>

#undef pthread_sigmask
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);

#endif
