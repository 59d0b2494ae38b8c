/* SPDX-License-Identifier: BSD-3-Clause */
/* cache_dir_win: see cache_dir.h; nothing is kept on Windows yet. */
#include "base/cache_dir.h"

int wp_cache_dir_open(const char *name, bool make)
{
	(void)name, (void)make;
	return -1;
}

bool wp_cache_dir_is_ours(int fd, mode_t kind)
{
	(void)fd, (void)kind;
	return false;
}

int wp_cache_dir_file(int folder, const char *name)
{
	(void)folder, (void)name;
	return -1;
}

bool wp_cache_dir_read(int fd, void *buf, size_t n)
{
	(void)fd, (void)buf, (void)n;
	return false;
}

void wp_cache_dir_replace(int folder, const char *name, const struct iovec *parts, size_t n)
{
	(void)folder, (void)name, (void)parts, (void)n;
}
