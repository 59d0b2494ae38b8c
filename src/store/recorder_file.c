/* recorder_file: see recorder_file.h. */
#include "store/recorder_file.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGE_SUFFIX ".python"

static struct wp_err *refuse(const char *path)
{
	return wp_err_os(errno, "%s: cannot be created", path);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void set_path(struct wp_recorder_file *file, const char *path, size_t len)
{
	file->path = wp_strndup(path, len);
	file->image = wp_asprintf("%.*s" IMAGE_SUFFIX, (int)len, path);
}

/* Beside its place: from there it can be renamed. */
static struct wp_err *open_fresh(const char *path, struct wp_recorder_file *file)
{
	wp_autofree char *name = wp_asprintf("%s.XXXXXX", path), *whole = NULL;

	errno = EISDIR;
	if (is_folder(path))
		return refuse(path);
	file->fd = mkostemp(name, O_CLOEXEC);
	if (file->fd < 0)
		return refuse(path);
	whole = realpath(name, NULL);
	file->fresh = wp_strdup(whole ? whole : name);
	set_path(file, file->fresh, strlen(file->fresh) - strlen(".XXXXXX"));
	return NULL;
}

static struct wp_err *open_over(const char *path, struct wp_recorder_file *file)
{
	wp_autofree char *whole = NULL;

	file->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (file->fd < 0)
		return refuse(path);
	whole = realpath(path, NULL);
	path = whole ? whole : path;
	set_path(file, path, strlen(path));
	unlink(file->image); /* that of the recording whose place ours takes */
	return NULL;
}

struct wp_err *wp_recorder_file_open(const char *path, bool replaces, struct wp_recorder_file *ret)
{
	struct wp_recorder_file file = {0};

	TRY(replaces ? open_fresh(path, &file) : open_over(path, &file));
	*ret = file;
	return NULL;
}

static struct wp_err *move(const char *from, const char *to)
{
	if (rename(from, to) == 0 || errno == ENOENT)
		return NULL;
	return wp_err_os(errno, "%s: cannot be renamed to %s", from, to);
}

struct wp_err *wp_recorder_file_place(struct wp_recorder_file *file)
{
	wp_autofree char *old = wp_asprintf("%s.old", file->path);
	wp_autofree char *old_image = wp_asprintf("%s" IMAGE_SUFFIX, old);

	if (!file->fresh)
		return NULL;
	TRY(move(file->path, old));
	unlink(old_image);
	TRY(move(file->image, old_image));
	TRY(move(file->fresh, file->path));
	free(file->fresh);
	file->fresh = NULL;
	return NULL;
}

struct wp_err *wp_recorder_file_close(struct wp_recorder_file *file)
{
	struct wp_err *err = NULL;

	if (close(file->fd) < 0)
		err = wp_err_os(errno, "%s: cannot be written", file->path);
	if (file->fresh)
		unlink(file->fresh);
	free(file->fresh);
	free(file->path);
	free(file->image);
	return err;
}
