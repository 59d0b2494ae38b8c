/* SPDX-License-Identifier: BSD-3-Clause */
/* other_roots: see other_roots.h. */
#include "resolve/find/other_roots.h"

#include "base/proc_living.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static bool is_known(const struct wp_other_roots *roots, const struct stat *root)
{
	struct stat own;

	if (stat("/", &own) == 0 && own.st_dev == root->st_dev && own.st_ino == root->st_ino)
		return true;
	for (size_t i = 0; i < roots->n; i++)
		if (roots->v[i].dev == root->st_dev && roots->v[i].inode == root->st_ino)
			return true;
	return false;
}

void wp_other_roots_note(struct wp_other_roots *roots, uint32_t pid)
{
	struct stat st;
	char path[64];

	if (!pid || roots->n == WP_OTHER_ROOTS)
		return;
	snprintf(path, sizeof(path), "/proc/%u/root", wp_proc_living(pid));
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) != 0 || is_known(roots, &st)) {
		close(fd);
		return;
	}
	roots->v[roots->n++] = (struct wp_other_root){fd, st.st_dev, st.st_ino};
}

int wp_other_roots_open(const struct wp_other_roots *roots, const char *path,
			const struct wp_file_id *id)
{
	if (!id->inode && !id->build_id_len)
		return -1;
	for (size_t i = 0; i < roots->n; i++) {
		int fd = wp_mapped_file_in(roots->v[i].fd, path);

		if (fd >= 0 && wp_mapped_file_is(fd, id))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

void wp_other_roots_deinit(struct wp_other_roots *roots)
{
	for (size_t i = 0; i < roots->n; i++)
		close(roots->v[i].fd);
	roots->n = 0;
}
