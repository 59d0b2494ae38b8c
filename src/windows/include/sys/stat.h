/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/stat.h for Windows: what POSIX says of a file (posix_stat.c). Every file is ours, and nobody
 * else's to write. */
#ifndef WP_WINDOWS_SYS_STAT_H
#define WP_WINDOWS_SYS_STAT_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include_next <sys/stat.h>

#define S_ISVTX 0
#define S_ISUID 0
#define S_ISGID 0

struct wp_posix_stat {
	uint64_t st_dev, st_ino; /* volume and number of the file; 0: not known */
	mode_t st_mode;
	uint32_t st_nlink;
	uid_t st_uid;
	gid_t st_gid;
	int64_t st_size, st_blocks;
	struct timespec st_mtim, st_ctim;
};

#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

int wp_posix_stat(const char *path, struct wp_posix_stat *ret);
int wp_posix_fstat(int fd, struct wp_posix_stat *ret);
int wp_posix_mkdir(const char *path);

#undef stat
#undef fstat
#define stat		  wp_posix_stat
#define fstat		  wp_posix_fstat
#define lstat		  wp_posix_stat
#define mkdir(path, mode) wp_posix_mkdir(path)

#endif
