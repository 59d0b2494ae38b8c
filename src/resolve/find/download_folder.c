/* SPDX-License-Identifier: BSD-3-Clause */
/* download_folder: see download_folder.h. */
#include "resolve/find/download_folder.h"

#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOTS_OWN "/var/cache/wperf"

/* Nobody but root decides what it has; others may add to a folder with a sticky bit. */
static bool is_roots(const struct stat *st)
{
	return st->st_uid == 0 && (!(st->st_mode & (S_IWGRP | S_IWOTH)) || (st->st_mode & S_ISVTX));
}

/* A path without links, which is changed here and changed back. */
static bool all_are_roots(char *path)
{
	struct stat st;
	bool good = stat("/", &st) == 0 && is_roots(&st);

	for (char *slash = path; good && slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		good = lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && is_roots(&st);
		if (slash)
			*slash = '/';
	}
	return good;
}

bool wp_download_folder_is_own(const char *path)
{
	wp_autofree char *outer = wp_strdup(path);
	wp_autofree char *real = NULL;

	if (geteuid() != 0)
		return true;
	/* What does not exist yet is judged by the folder that it will be made in. */
	while (!(real = realpath(*outer ? outer : "/", NULL))) {
		char *slash = strrchr(outer, '/');

		if (errno != ENOENT)
			return false;
		if (!slash)
			return (real = realpath(".", NULL)) && all_are_roots(real);
		*slash = '\0';
	}
	return strcmp(real, "/") == 0 || all_are_roots(real);
}

/* One line, however many images ask; a race of two threads costs a second one. */
static void note_once(const struct wp_log *log, const char *wanted, const char *instead)
{
	static bool said;

	if (said)
		return;
	said = true;
	wp_log(log, WP_LOG_NOTE,
	       "downloads go to %s: root keeps none in %s, where another user could change them",
	       instead, wanted);
}

char *wp_download_folder(const struct wp_log *log, const char *wanted, const char *kind)
{
	if (!wanted || wp_download_folder_is_own(wanted))
		return wanted ? wp_strdup(wanted) : NULL;
	char *instead = wp_asprintf(ROOTS_OWN "/%s", kind);
	note_once(log, wanted, instead);
	return instead;
}

static bool make_folders(const char *path)
{
	wp_autofree char *part = wp_strdup(path);

	/* Root's are for root alone; a umask says what others may do with a user's. */
	for (char *slash = strchr(part + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		bool made = mkdir(part, geteuid() == 0 ? 0755 : 0777) == 0 || errno == EEXIST;
		if (!slash)
			return made;
		*slash = '/';
	}
}

bool wp_download_folder_make(const char *path)
{
	if (!wp_download_folder_is_own(path) || !make_folders(path)) {
		errno = wp_download_folder_is_own(path) ? errno : EPERM;
		return false;
	}
	/* In a folder like /tmp somebody may have been faster. */
	if (wp_download_folder_is_own(path))
		return true;
	errno = EPERM;
	return false;
}
