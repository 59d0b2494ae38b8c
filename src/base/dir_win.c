/* SPDX-License-Identifier: BSD-3-Clause */
/* dir_win: see dir.h. */
#include "base/dir.h"

#include "base/utf16.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int by_bytes_of_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void wp_dir_list(const char *path, struct wp_dir *ret)
{
	wp_autofree char *all = wp_asprintf("%s/*", path);
	wp_autofree wchar_t *pattern = wp_utf16_of(all);
	WIN32_FIND_DATAW entry;
	HANDLE find = FindFirstFileW(pattern, &entry);

	if (find == INVALID_HANDLE_VALUE)
		return;
	do {
		wp_autofree char *name = wp_utf16_to(entry.cFileName);

		if (name[0] != '.')
			wp_vec_push(&ret->names, wp_arena_strdup(&ret->arena, name));
	} while (FindNextFileW(find, &entry));
	FindClose(find);
	if (ret->names.n)
		qsort(ret->names.v, ret->names.n, sizeof(*ret->names.v), by_bytes_of_name);
}

void wp_dir_deinit(struct wp_dir *dir)
{
	wp_vec_deinit(&dir->names);
	wp_arena_deinit(&dir->arena);
}
