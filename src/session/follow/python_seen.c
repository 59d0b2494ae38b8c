/* SPDX-License-Identifier: BSD-3-Clause */
/* python_seen: see python_seen.h. */
#include "session/follow/python_seen.h"

#include "base/cache_dir.h"
#include "base/str.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER	  "python"
#define FILE_NAME "seen"
#define MAX_BYTES (WP_PYTHONS_SEEN * PATH_MAX)

static void add_seen_path(struct wp_python_seen *seen, const char *line)
{
	if (line[0] == '/' && strlen(line) < PATH_MAX && seen->paths.n < WP_PYTHONS_SEEN)
		wp_vec_push(&seen->paths, wp_strdup(line));
}

void wp_python_seen_read(struct wp_python_seen *seen)
{
	wp_autoclose int folder = wp_cache_dir_open(FOLDER, false);
	struct stat st;

	seen->on = true;
	if (folder < 0)
		return;
	wp_autoclose int fd = wp_cache_dir_file(folder, FILE_NAME);
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size > MAX_BYTES)
		return;
	wp_autofree char *text = wp_calloc(1, (size_t)st.st_size + 1);
	char *save;

	if (!wp_cache_dir_read(fd, text, (size_t)st.st_size))
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_seen_path(seen, line);
}

/* The path of a process's program, when that is what it names for us, too. */
static char *find_process_program(uint32_t pid)
{
	char link[sizeof("/proc/4294967295/exe")], path[PATH_MAX];
	struct stat its, ours;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	if (strchr(path, '\n') || stat(link, &its) < 0 || stat(path, &ours) < 0 ||
	    its.st_dev != ours.st_dev || its.st_ino != ours.st_ino)
		return NULL;
	return wp_strdup(path);
}

/* Makes room for a path in front, by taking out the same one, or the last. */
static void take_path_out(struct wp_python_seen *seen, const char *path)
{
	size_t at = 0;

	while (at < seen->paths.n && strcmp(seen->paths.v[at], path) != 0)
		at++;
	if (at == seen->paths.n && at < WP_PYTHONS_SEEN) {
		wp_vec_push(&seen->paths, NULL);
	} else {
		at -= at == seen->paths.n;
		free(seen->paths.v[at]);
	}
	memmove(seen->paths.v + 1, seen->paths.v, at * sizeof(*seen->paths.v));
}

void wp_python_seen_meet(struct wp_python_seen *seen, uint32_t pid)
{
	char *path = seen->on ? find_process_program(pid) : NULL;

	if (!path || (seen->paths.n && strcmp(seen->paths.v[0], path) == 0)) {
		free(path);
		return;
	}
	take_path_out(seen, path);
	seen->paths.v[0] = path;
	seen->changed = true;
}

void wp_python_seen_write(const struct wp_python_seen *seen)
{
	wp_autostr struct wp_str text = {0};

	if (!seen->changed)
		return;
	wp_vec_each (char *const, path, &seen->paths)
		wp_str_printf(&text, "%s\n", *path);
	wp_autoclose int folder = wp_cache_dir_open(FOLDER, true);
	const struct iovec part = {text.s, text.len};

	if (folder >= 0)
		wp_cache_dir_replace(folder, FILE_NAME, &part, 1);
}

void wp_python_seen_deinit(struct wp_python_seen *seen)
{
	wp_vec_each (char *, path, &seen->paths)
		free(*path);
	wp_vec_deinit(&seen->paths);
	*seen = (struct wp_python_seen){0};
}
