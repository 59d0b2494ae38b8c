/* python_files: see python_files.h. */
#include "session/python_files.h"

#include "base/str.h"

#include <string.h>
#include <unistd.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x100000001b3u;
}

static uint64_t key_of(uint32_t path, const struct wp_file_id *id)
{
	uint64_t key = mix(0xcbf29ce484222325u, path);

	key = mix(mix(mix(key, id->dev_major), id->dev_minor), id->inode);
	for (size_t i = 0; i < id->build_id_len; i++)
		key = mix(key, id->build_id[i]);
	return key;
}

static bool same(const struct wp_file_id *a, const struct wp_file_id *b)
{
	return a->dev_major == b->dev_major && a->dev_minor == b->dev_minor &&
	       a->inode == b->inode && a->build_id_len == b->build_id_len &&
	       memcmp(a->build_id, b->build_id, a->build_id_len) == 0;
}

/* Anonymous memory, [vdso], shared memory without a file. */
static bool is_file(const struct wp_record_map *map)
{
	return !map->kernel && map->path && map->path[0] == '/' && map->path[1] != '/' &&
	       !wp_str_has_prefix(map->path, "/SYSV") &&
	       !wp_str_has_prefix(map->path, "/dev/zero") &&
	       !wp_str_has_prefix(map->path, "/anon_hugepage");
}

static struct wp_file_id id_of(const struct wp_record_map *map)
{
	struct wp_file_id id = {
		.dev_major = map->dev_major,
		.dev_minor = map->dev_minor,
		.inode = map->inode,
	};

	id.build_id_len = map->build_id_len <= WP_BUILD_ID_MAX ? map->build_id_len : 0;
	memcpy(id.build_id, map->build_id, id.build_id_len);
	return id;
}

bool wp_python_files_of(struct wp_python_files *files, const struct wp_record_map *map,
			uint32_t *ret)
{
	struct wp_file_id id = id_of(map);
	struct wp_python_file add = {.id = id};
	uint64_t *head;

	if (!is_file(map))
		return false;
	add.path = wp_strpool_id(&files->paths, map->path);
	head = wp_map_put(&files->by_key, key_of(add.path, &id));
	for (uint64_t at = *head; at; at = files->all.v[at - 1].next)
		if (files->all.v[at - 1].path == add.path && same(&files->all.v[at - 1].id, &id)) {
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
static void read_segments(int fd, struct wp_python_file *file)
{
	Elf *elf = wp_elf_open(fd);

	if (!elf)
		return;
	wp_err_free(wp_elf_image_read(elf, &file->elf)); /* without segments it is mapped nowhere */
	elf_end(elf);
}

static void look(struct wp_python_files *files, struct wp_python_file *file, int fd)
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
		read_segments(fd, file);
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
	look(files, file, fd);
	close(fd);
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
