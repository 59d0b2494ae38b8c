/* SPDX-License-Identifier: BSD-3-Clause */
/* python_files: see python_files.h. */
#include "session/follow/python_files.h"

#include "format/elf/elf_file.h"

#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool wp_python_files_of(struct wp_python_files *files, const struct wp_record_map *map,
			uint32_t *ret)
{
	struct wp_file_id id = wp_file_id_of(map);
	struct wp_python_file add = {.id = id};
	uint64_t *head;

	if (map->kernel || !map->path || !wp_mapped_file_has_path(map->path))
		return false;
	add.path = wp_strpool_id(&files->paths, map->path);
	head = wp_map_put(&files->by_key, wp_file_id_key(&id, add.path));
	for (uint64_t at = *head; at; at = files->all.v[at - 1].next)
		if (files->all.v[at - 1].path == add.path &&
		    wp_file_id_same(&files->all.v[at - 1].id, &id)) {
			*ret = (uint32_t)(at - 1);
			return true;
		}
	add.next = (uint32_t)*head;
	wp_vec_push(&files->all, add);
	*head = files->all.n;
	*ret = (uint32_t)(files->all.n - 1);
	return true;
}

/* Segments, by which a mapping's place in the file becomes a linked address. */
static void read_file_segments(int fd, struct wp_python_file *file)
{
	struct wp_elf_file elf = wp_elf_file_open(fd, false);

	if (!elf.elf)
		return;
	/* Without segments it is mapped nowhere. */
	wp_err_free(wp_elf_image_read(elf.elf, &file->elf));
	wp_elf_file_close(&elf);
}

static void look_into(struct wp_python_files *files, struct wp_python_file *file, int fd)
{
	const char *path = wp_strpool_get(&files->paths, file->path);
	wp_autoerr struct wp_err *err = wp_python_build_read(fd, path, &file->build);

	if (err) {
		wp_log(files->log, WP_LOG_NOTE, "no Python frames of %s: %s", path, err->text);
		return;
	}
	file->has_libc = wp_python_libc_read(fd, &file->libc);
	wp_python_asyncio_read(fd, &file->asyncio);
	if (file->build || file->has_libc)
		read_file_segments(fd, file);
}

const struct wp_python_file *wp_python_files_look(struct wp_python_files *files, uint32_t index,
						  uint32_t pid, struct wp_va va)
{
	struct wp_python_file *file = &files->all.v[index];
	const char *why;
	int fd;

	if (file->looked)
		return file;
	fd = wp_mapped_file_open(pid, wp_strpool_get(&files->paths, file->path), &file->id, va,
				 &why);
	if (fd < 0)
		return file; /* perhaps by another process */
	file->looked = true;
	look_into(files, file, fd);
	close(fd);
	return file;
}

const struct wp_python_file *wp_python_files_expect(struct wp_python_files *files, int fd)
{
	wp_autofree char *link = wp_asprintf("/proc/self/fd/%d", fd);
	char path[PATH_MAX];
	ssize_t n = readlink(link, path, sizeof(path) - 1);
	struct wp_record_map map = {.path = path};
	struct wp_python_file *file;
	struct stat st;
	uint32_t index;

	if (n <= 0 || fstat(fd, &st) < 0)
		return NULL;
	path[n] = '\0';
	map.dev_major = major(st.st_dev);
	map.dev_minor = minor(st.st_dev);
	map.inode = st.st_ino;
	if (!wp_python_files_of(files, &map, &index))
		return NULL;
	file = &files->all.v[index];
	if (!file->looked) {
		file->looked = true;
		look_into(files, file, fd);
	}
	return file;
}

void wp_python_files_deinit(struct wp_python_files *files)
{
	wp_vec_each (struct wp_python_file, file, &files->all) {
		if (file->build)
			wp_python_build_free(file->build);
		wp_elf_image_deinit(&file->elf);
	}
	wp_vec_deinit(&files->all);
	wp_map_deinit(&files->by_key);
	wp_strpool_deinit(&files->paths);
}
