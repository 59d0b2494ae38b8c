/* SPDX-License-Identifier: BSD-3-Clause */
/* build_ids: see build_ids.h. */
#include "resolve/find/build_ids.h"

#include "base/keyed.h"
#include "format/elf/elf_image.h"
#include "resolve/find/mapped_file.h"

#include <string.h>
#include <unistd.h>

static void read_elf_build_id(Elf *elf, struct wp_build_id *ret)
{
	struct wp_elf_image image;
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &image);

	if (!err && image.build_id_len <= sizeof(ret->id)) {
		memcpy(ret->id, image.build_id, image.build_id_len);
		ret->len = image.build_id_len;
	}
	if (!err)
		wp_elf_image_deinit(&image);
	elf_end(elf);
}

static struct wp_build_id find_build_id(uint32_t pid, const struct wp_record_map *map,
					const struct wp_file_id *file)
{
	struct wp_build_id id = {0};
	const char *why;
	int fd;

	if (wp_mapped_file_is_vdso(map->path)) {
		wp_autofree void *vdso = wp_mapped_file_vdso(pid, map->start, map->len, true);

		if (vdso)
			read_elf_build_id(wp_elf_open_memory(vdso, map->len), &id);
		return id;
	}
	fd = wp_mapped_file_open(pid, map->path, file, map->start, &why);

	if (fd >= 0) {
		read_elf_build_id(wp_elf_open(fd), &id);
		close(fd);
	}
	return id;
}

static bool may_have_build_id(const struct wp_record_map *map)
{
	return wp_mapped_file_is_vdso(map->path) ||
	       (map->inode && wp_mapped_file_has_path(map->path));
}

void wp_build_ids_give(struct wp_build_ids *ids, uint32_t pid, struct wp_record_map *map)
{
	struct wp_file_id file = wp_file_id_of(map);
	const struct wp_build_id *id;
	const char *name = map->path;

	if (map->kernel || map->build_id_len || !may_have_build_id(map))
		return;
	if (wp_mapped_file_is_vdso(name) && map->start.v >> 32 == 0)
		name = "[vdso32]"; /* a 32-bit process has another one, under the same name */
	id = wp_keyed_put(&ids->ids, &ids->by_file,
			  wp_file_id_key(&file, wp_strpool_id(&ids->paths, name)),
			  find_build_id(pid, map, &file));
	memcpy(map->build_id, id->id, sizeof(id->id));
	map->build_id_len = id->len;
}

void wp_build_ids_deinit(struct wp_build_ids *ids)
{
	wp_strpool_deinit(&ids->paths);
	wp_map_deinit(&ids->by_file);
	wp_vec_deinit(&ids->ids);
}
