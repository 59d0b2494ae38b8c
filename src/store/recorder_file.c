/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_file: see recorder_file.h. */
#include "store/recorder_file.h"

#include "base/str.h"
#include "store/recorder_python.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGE_SUFFIX ".python"

static struct wp_err *refuse_file(const char *path)
{
	return wp_err_os(errno, "%s: cannot be created", path);
}

static bool is_output_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void set_path(struct wp_recorder_file *file, const char *path, size_t len)
{
	file->path = wp_strndup(path, len);
	file->image = wp_asprintf("%.*s" IMAGE_SUFFIX, (int)len, path);
}

static struct wp_err *remove_image(const char *path)
{
	TRY(wp_recorder_python_check(path));
	unlink(path);
	return NULL;
}

/* What will be moved, and what will be replaced by that. */
static struct wp_err *check_images(const struct wp_recorder_file *file)
{
	wp_autofree char *old = wp_asprintf("%s.old" IMAGE_SUFFIX, file->path);

	TRY(wp_recorder_python_check(file->image));
	return wp_recorder_python_check(old);
}

/* Without a name, so that nothing is left of it when we are killed before it has its place. */
static bool open_nameless_in_folder(const char *path, struct wp_recorder_file *file)
{
	const char *name = wp_str_basename(path);
	wp_autofree char *folder =
		name > path ? wp_strndup(path, (size_t)(name - path)) : wp_strdup(".");
	wp_autofree char *whole = realpath(folder, NULL), *place = NULL;

	file->fd = whole ? open(whole, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
	if (file->fd < 0)
		return false;
	place = wp_asprintf("%s/%s", strcmp(whole, "/") == 0 ? "" : whole, name);
	set_path(file, place, strlen(place));
	file->nameless = true;
	return true;
}

/* Beside its place: from there it can be renamed. */
static struct wp_err *open_named_beside(const char *path, struct wp_recorder_file *file)
{
	wp_autofree char *name = wp_asprintf("%s.XXXXXX", path), *whole = NULL;

	file->fd = mkostemp(name, O_CLOEXEC);
	if (file->fd < 0)
		return refuse_file(path);
	whole = realpath(name, NULL);
	file->fresh = wp_strdup(whole ? whole : name);
	set_path(file, file->fresh, strlen(file->fresh) - strlen(".XXXXXX"));
	return NULL;
}

/* Not every file system has files without a name, and none is given one without /proc. */
static struct wp_err *open_fresh(const char *path, struct wp_recorder_file *file)
{
	errno = EISDIR;
	if (is_output_folder(path))
		return refuse_file(path);
	if (access("/proc/self/fd", X_OK) != 0 || !open_nameless_in_folder(path, file))
		TRY(open_named_beside(path, file));
	return check_images(file);
}

static struct wp_err *open_over(const char *path, struct wp_recorder_file *file)
{
	wp_autofree char *whole = NULL;

	file->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file->fd < 0)
		return refuse_file(path);
	whole = realpath(path, NULL);
	path = whole ? whole : path;
	set_path(file, path, strlen(path));
	TRY(remove_image(file->image)); /* that of the recording whose place ours takes */
	return ftruncate(file->fd, 0) == 0 || errno == EINVAL ? NULL : refuse_file(path);
}

struct wp_err *wp_recorder_file_open(const char *path, bool replaces, struct wp_recorder_file *ret)
{
	struct wp_recorder_file file = {0};

	struct wp_err *err;

	file.fd = -1;
	err = replaces ? open_fresh(path, &file) : open_over(path, &file);
	if (err) {
		wp_err_free(wp_recorder_file_close(&file));
		return err;
	}
	*ret = file;
	return NULL;
}

static struct wp_err *move_file(const char *from, const char *to)
{
	if (rename(from, to) == 0 || errno == ENOENT)
		return NULL;
	return wp_err_os(errno, "%s: cannot be renamed to %s", from, to);
}

static struct wp_err *give_name(struct wp_recorder_file *file)
{
	wp_autofree char *link = wp_asprintf("/proc/self/fd/%d", file->fd);

	if (linkat(AT_FDCWD, link, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) < 0)
		return refuse_file(file->path);
	file->nameless = false;
	return NULL;
}

struct wp_err *wp_recorder_file_place(struct wp_recorder_file *file)
{
	wp_autofree char *old = wp_asprintf("%s.old", file->path);
	wp_autofree char *old_image = wp_asprintf("%s" IMAGE_SUFFIX, old);

	if (!file->fresh && !file->nameless)
		return NULL;
	TRY(check_images(file));
	TRY(move_file(file->path, old));
	unlink(old_image);
	TRY(move_file(file->image, old_image));
	if (file->nameless)
		return give_name(file);
	TRY(move_file(file->fresh, file->path));
	free(file->fresh);
	file->fresh = NULL;
	return NULL;
}

struct wp_err *wp_recorder_file_close(struct wp_recorder_file *file)
{
	struct wp_err *err = NULL;

	if (file->fd >= 0 && close(file->fd) < 0)
		err = wp_err_os(errno, "%s: cannot be written", file->path);
	if (file->fresh)
		unlink(file->fresh);
	free(file->fresh);
	free(file->path);
	free(file->image);
	return err;
}
