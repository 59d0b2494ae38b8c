/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/random.h for Windows: bytes that nobody foresees (posix_system.c). */
#ifndef WP_WINDOWS_RANDOM_H
#define WP_WINDOWS_RANDOM_H

#include <stddef.h>
#include <sys/types.h>

ssize_t getrandom(void *buf, size_t n, unsigned int flags);

#endif
