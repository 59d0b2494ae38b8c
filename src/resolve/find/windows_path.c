/* SPDX-License-Identifier: BSD-3-Clause */
/* windows_path: see windows_path.h. */
#include "resolve/find/windows_path.h"

#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *wp_windows_path_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/' || *path == '\\' || (*path == ':' && path - name == 1))
			name = path + 1;
	return name;
}

/* Where Wine has its drives. */
static char *drives(void)
{
	const char *prefix = getenv("WINEPREFIX"), *home = getenv("HOME");

	if (prefix && *prefix)
		return wp_asprintf("%s/dosdevices", prefix);
	return home ? wp_asprintf("%s/.wine/dosdevices", home) : NULL;
}

char *wp_windows_path_here(const char *path)
{
	if (!isalpha((unsigned char)path[0]) || path[1] != ':')
		return wp_strdup(path);
	int drive = tolower((unsigned char)path[0]);
	wp_autofree char *rest = wp_strdup(path + 2), *root = drives();
	for (char *c = rest; *c; c++)
		*c = *c == '\\' ? '/' : *c;
	if (drive == 'z')
		return wp_strdup(rest);
	return root ? wp_asprintf("%s/%c:%s", root, drive, rest) : NULL;
}

char *wp_windows_path_in(const char *folder, const char *name)
{
	wp_autodir struct wp_dir dir = {0};
	char *path = wp_asprintf("%s/%s", folder, name);

	if (wp_file_exists(path))
		return path;
	free(path);
	wp_dir_list(folder, &dir);
	wp_vec_each (const char *, found, &dir.names)
		if (wp_str_eq_nocase(*found, name))
			return wp_asprintf("%s/%s", folder, *found);
	return NULL;
}
