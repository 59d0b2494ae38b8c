/* SPDX-License-Identifier: BSD-3-Clause */
/* stdio.h for Windows: a file is replaced by one that gets its name (posix_file.c). */
#ifndef WP_WINDOWS_STDIO_H
#define WP_WINDOWS_STDIO_H

#include_next <stdio.h>

int wp_posix_rename(const char *from, const char *to);

#define rename wp_posix_rename

#endif
