/* SPDX-License-Identifier: BSD-3-Clause */
/* dir: see dir.h. */
#include "base/dir.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void wp_dir_list(const char *path, struct wp_dir *ret)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			wp_vec_push(&ret->names, wp_arena_strdup(&ret->arena, entry->d_name));
	closedir(dir);
	if (ret->names.n)
		qsort(ret->names.v, ret->names.n, sizeof(*ret->names.v), by_bytes);
}

void wp_dir_deinit(struct wp_dir *dir)
{
	wp_vec_deinit(&dir->names);
	wp_arena_deinit(&dir->arena);
}
