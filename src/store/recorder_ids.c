/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_ids: see recorder_ids.h. */
#include "store/recorder_ids.h"

#include "format/perf/perfdata_write.h"

#include <string.h>

/* perf maps the kernel by a symbol of it, and names its file without. */
#define KERNEL_MAP  "[kernel.kallsyms]_text"
#define KERNEL_FILE "[kernel.kallsyms]"

static const char *stored_file_of(const char *path)
{
	return strcmp(path, KERNEL_MAP) == 0 ? KERNEL_FILE : path;
}

void wp_recorder_ids_map(struct wp_recorder_ids *ids, const struct wp_record_map *map)
{
	struct wp_recorder_id *id;
	uint32_t at;

	if (!map->build_id_len)
		return;
	at = wp_strpool_id(&ids->paths, stored_file_of(map->path));
	if (at == ids->ids.n)
		wp_vec_push(&ids->ids, (struct wp_recorder_id){0});
	id = &ids->ids.v[at];
	id->kernel = map->kernel;
	id->id.len = map->build_id_len;
	memcpy(id->id.id, map->build_id, sizeof(id->id.id));
}

void wp_recorder_ids_hit(struct wp_recorder_ids *ids, const char *path)
{
	uint32_t at = wp_strpool_id(&ids->paths, stored_file_of(path));

	if (at == ids->ids.n)
		wp_vec_push(&ids->ids, (struct wp_recorder_id){0});
	ids->ids.v[at].hit = true;
}

bool wp_recorder_ids_put(const struct wp_recorder_ids *ids, struct wp_str *out)
{
	size_t before = out->len;

	for (uint32_t i = 0; i < ids->ids.n; i++) {
		struct wp_perfdata_build_id id = ids->ids.v[i].id;

		id.path = wp_strpool_get(&ids->paths, i);
		if (id.len && ids->ids.v[i].hit)
			wp_perfdata_put_build_id(out, &id, ids->ids.v[i].kernel);
	}
	return out->len > before;
}

void wp_recorder_ids_deinit(struct wp_recorder_ids *ids)
{
	wp_strpool_deinit(&ids->paths);
	wp_vec_deinit(&ids->ids);
}
