/* SPDX-License-Identifier: BSD-3-Clause */
/* unistd.h for Windows: MinGW's, and what POSIX has besides (posix_file.c, posix_system.c). */
#ifndef WP_WINDOWS_UNISTD_H
#define WP_WINDOWS_UNISTD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include_next <unistd.h>

ssize_t pread(int fd, void *buf, size_t n, off_t offset);
ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset);
/* There are no symbolic links that we would read. */
ssize_t readlink(const char *path, char *buf, size_t n);
/* Everybody is one user, who is not root. */
uid_t geteuid(void);

enum {
	_SC_PAGESIZE,
	_SC_PHYS_PAGES,
	_SC_NPROCESSORS_ONLN,
	_SC_NPROCESSORS_CONF,
	_SC_CLK_TCK,
};

long sysconf(int name);

/* Of folders by descriptors there is nothing: both fail. */
#define AT_FDCWD	  (-100)
#define AT_SYMLINK_FOLLOW 0
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int unlinkat(int folder, const char *name, int flags);

#undef ftruncate
#define ftruncate wp_posix_truncate
int wp_posix_truncate(int fd, int64_t size);

#endif
