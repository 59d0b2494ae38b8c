/* SPDX-License-Identifier: BSD-3-Clause */
/* cache_dir: see cache_dir.h. */
#include "base/cache_dir.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool wp_cache_dir_is_ours(int fd, mode_t kind)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Opens a folder in a folder; made when `make`. -1 unless it is ours. Closes the outer one. */
static int enter_folder(int outer, const char *name, bool make)
{
	int fd = -1;

	if (outer < 0)
		return -1;
	if (make)
		mkdirat(outer, name, 0700);
	fd = openat(outer, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(outer);
	if (fd >= 0 && !wp_cache_dir_is_ours(fd, S_IFDIR)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int open_top(bool make)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	wp_autofree char *path = NULL;

	if (xdg && xdg[0] == '/')
		path = wp_strdup(xdg);
	else if (geteuid() == 0)
		path = wp_strdup("/var/cache");
	else if (home && home[0] == '/')
		path = wp_asprintf("%s/.cache", home);
	else
		return -1;
	if (make)
		mkdir(path, 0700);
	return open(path, O_DIRECTORY | O_CLOEXEC);
}

int wp_cache_dir_open(const char *name, bool make)
{
	return enter_folder(enter_folder(open_top(make), "wperf", make), name, make);
}

int wp_cache_dir_file(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && !wp_cache_dir_is_ours(fd, S_IFREG)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool wp_cache_dir_read(int fd, void *buf, size_t n)
{
	uint8_t *p = buf;

	while (n) {
		ssize_t got = read(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

static bool write_part(int fd, const void *buf, size_t n)
{
	const uint8_t *p = buf;

	while (n) {
		ssize_t put = write(fd, p, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

void wp_cache_dir_replace(int folder, const char *name, const struct iovec *parts, size_t n)
{
	wp_autofree char *draft = wp_asprintf(".%s.%d", name, (int)getpid());
	wp_autoclose int fd =
		openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0;

	if (!good)
		return;
	for (size_t i = 0; i < n; i++)
		good = good && write_part(fd, parts[i].iov_base, parts[i].iov_len);
	if (!good || renameat(folder, draft, folder, name) != 0)
		unlinkat(folder, draft, 0);
}
