/* SPDX-License-Identifier: BSD-3-Clause */
/* fcntl.h for Windows: files are opened by names in UTF-8, as bytes, and not inherited
 * (posix_file.c). */
#ifndef WP_WINDOWS_FCNTL_H
#define WP_WINDOWS_FCNTL_H

#include_next <fcntl.h>

/* What does not apply to files of Windows is no bit. */
#define O_CLOEXEC   0
#define O_NONBLOCK  0
#define O_NOFOLLOW  0
#define O_NOCTTY    0
#define O_DIRECTORY 0
#define O_PATH	    0
/* A file without a name there is none. */
#define O_TMPFILE 0x40000000

#define F_DUPFD_CLOEXEC 1030
int fcntl(int fd, int command, int least);

#endif
