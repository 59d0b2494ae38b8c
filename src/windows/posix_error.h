/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_error: errors of Windows' own functions, as errno has them. */
#ifndef WP_POSIX_ERROR_H
#define WP_POSIX_ERROR_H

/* Sets errno to what GetLastError() means. Returns -1. */
int wp_posix_error(void);

#endif
