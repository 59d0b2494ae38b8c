/* SPDX-License-Identifier: BSD-3-Clause */
/* mapped_name: what a record says of a mapped file, before anything is opened (declared in
 * mapped_file.h). */
#include "base/hash.h"
#include "base/str.h"
#include "resolve/find/mapped_file.h"

#include <string.h>

struct wp_file_id wp_file_id_of(const struct wp_record_map *map)
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

bool wp_file_id_same(const struct wp_file_id *a, const struct wp_file_id *b)
{
	return a->dev_major == b->dev_major && a->dev_minor == b->dev_minor &&
	       a->inode == b->inode && a->build_id_len == b->build_id_len &&
	       memcmp(a->build_id, b->build_id, a->build_id_len) == 0;
}

uint64_t wp_file_id_key(const struct wp_file_id *id, uint32_t path)
{
	uint64_t key = wp_hash_fnv1a(WP_HASH_FNV1A, path);

	key = wp_hash_fnv1a(key, id->dev_major);
	key = wp_hash_fnv1a(key, id->dev_minor);
	key = wp_hash_fnv1a(key, id->inode);
	for (size_t i = 0; i < id->build_id_len; i++)
		key = wp_hash_fnv1a(key, id->build_id[i]);
	return key;
}

bool wp_mapped_file_is_vdso(const char *path)
{
	return wp_str_has_prefix(path, "[vdso");
}
