/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/uio.h for Windows: a piece of memory. */
#ifndef WP_WINDOWS_UIO_H
#define WP_WINDOWS_UIO_H

#include <stddef.h>

struct iovec {
	void *iov_base;
	size_t iov_len;
};

#endif
