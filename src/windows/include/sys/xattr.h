/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/xattr.h for Windows: files have no such attributes (posix_file.c). */
#ifndef WP_WINDOWS_XATTR_H
#define WP_WINDOWS_XATTR_H

#include <stddef.h>
#include <sys/types.h>

ssize_t fgetxattr(int fd, const char *name, void *ret, size_t n);

#endif
