/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped_file_win: see mapped_file.h: files that a recording names, by their names here.
 *
 * Strangers choose these names: none leads to another machine (which would be sent the user's
 * credentials), to a device or to a pipe.
 */
#include "resolve/find/mapped_file.h"

#include "base/str.h"
#include "format/elf/elf_image.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool is_slash(char byte)
{
	return byte == '/' || byte == '\\';
}

/* "//server/share", with any slashes, and "\??\" are names of more than files. */
static bool is_on_this_machine(const char *path)
{
	if (isalpha((unsigned char)path[0]) && path[1] == ':')
		path += 2;
	return !(is_slash(path[0]) && is_slash(path[1])) && !strpbrk(path, "?*:");
}

/* A name of Linux, which is looked for on the current drive, or one with a drive. */
bool wp_mapped_file_has_path(const char *path)
{
	return is_on_this_machine(path) &&
	       (is_slash(path[0]) || (path[0] && path[1] == ':' && is_slash(path[2])));
}

int wp_mapped_file_path(uint32_t pid, const char *path)
{
	struct stat st;

	(void)pid;
	if (!is_on_this_machine(path) || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
		errno = ENOENT;
		return -1;
	}
	return open(path, O_RDONLY);
}

int wp_mapped_file_no_link(uint32_t pid, const char *path)
{
	return wp_mapped_file_path(pid, path);
}

int wp_mapped_file_in(int root_fd, const char *path)
{
	(void)root_fd, (void)path;
	errno = ENOENT;
	return -1;
}

/* An inode is one of the machine that recorded: only a build-id says whether it is the same file.
 */
bool wp_mapped_file_is(int fd, const struct wp_file_id *id)
{
	struct wp_elf_image image;
	bool same = false;
	Elf *elf;

	if (!id->build_id_len)
		return true;
	elf = wp_elf_open(fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &image);
	if (!err) {
		same = image.build_id_len == id->build_id_len &&
		       memcmp(image.build_id, id->build_id, id->build_id_len) == 0;
		wp_elf_image_deinit(&image);
	}
	elf_end(elf);
	return same;
}

int wp_mapped_file_open(uint32_t pid, const char *path, const struct wp_file_id *id,
			struct wp_va va, const char **ret_why)
{
	int fd = wp_mapped_file_path(pid, path);

	(void)va;
	if (fd < 0) {
		*ret_why = errno == EACCES ? "permission denied" : "the file is gone";
		return -1;
	}
	if (wp_mapped_file_is(fd, id))
		return fd;
	*ret_why = "it was replaced since it was mapped";
	close(fd);
	return -1;
}

bool wp_mapped_file_memory(uint32_t pid, struct wp_va va, void *ret, size_t len)
{
	(void)pid, (void)va, (void)ret, (void)len;
	return false;
}

void *wp_mapped_file_vdso(uint32_t pid, struct wp_va va, size_t len, bool or_ours)
{
	(void)pid, (void)va, (void)len, (void)or_ours;
	return NULL;
}

uint32_t wp_mapped_file_inner_pid(uint32_t pid)
{
	return pid;
}
