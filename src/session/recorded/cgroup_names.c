/* SPDX-License-Identifier: BSD-3-Clause */
/* cgroup_names: see cgroup_names.h. */
#include "session/recorded/cgroup_names.h"

void wp_cgroup_names_take(struct wp_cgroup_names *names, const struct wp_record *record)
{
	if (record->kind == WP_RECORD_CGROUP)
		*wp_map_put(&names->at, record->cgroup.id) =
			wp_strpool_id(&names->names, record->cgroup.path) + UINT64_C(1);
}

const char *wp_cgroup_names_of(const struct wp_cgroup_names *names,
			       const struct wp_sample_data *data)
{
	const uint64_t *id =
		data && data->has & WP_DATA_CGROUP ? wp_map_get(&names->at, data->cgroup) : NULL;

	return id ? wp_strpool_get(&names->names, (uint32_t)(*id - 1)) : NULL;
}

void wp_cgroup_names_deinit(struct wp_cgroup_names *names)
{
	wp_map_deinit(&names->at);
	wp_strpool_deinit(&names->names);
}
