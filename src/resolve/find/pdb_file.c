/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_file: opens a PDB of this machine; see pdb_file.h. */
#include "resolve/find/pdb_file.h"

#include "resolve/find/mapped_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_pdb_bytes(void *arg, uint64_t offset, void *ret, size_t len)
{
	const struct wp_pdb_file *file = arg;
	char *at = ret;

	while (len) {
		ssize_t n = pread(file->fd, at, len, (off_t)offset);

		if (n <= 0)
			return false;
		at += n, offset += (size_t)n, len -= (size_t)n;
	}
	return true;
}

static struct wp_err *open_pdb_file(struct wp_pdb_file *file, uint32_t pid,
				    struct wp_budget *budget)
{
	struct stat st;

	file->fd = wp_mapped_file_path(pid, file->path);
	if (file->fd < 0 && errno == EINVAL)
		return wp_err_new(WP_ERR_FORMAT, "%s: not a file", file->path);
	if (file->fd < 0 || fstat(file->fd, &st) != 0)
		return wp_err_os(errno, "Unable to open %s", file->path);
	struct wp_pdb_input input = {file->path, (uint64_t)st.st_size, read_pdb_bytes, file,
				     budget};
	return wp_pdb_open(&input, &file->pdb);
}

struct wp_err *wp_pdb_file_open(uint32_t pid, const char *path, struct wp_budget *budget,
				struct wp_pdb_file **ret)
{
	struct wp_pdb_file *file = wp_calloc(1, sizeof(*file));

	file->path = wp_strdup(path);
	struct wp_err *err = open_pdb_file(file, pid, budget);
	if (err)
		wp_pdb_file_close(file);
	else
		*ret = file;
	return err;
}

void wp_pdb_file_close(struct wp_pdb_file *file)
{
	if (!file)
		return;
	wp_pdb_close(file->pdb);
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file);
}
