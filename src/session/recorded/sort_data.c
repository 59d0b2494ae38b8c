/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_data: see sort_data.h. */
#include "session/recorded/sort_data.h"

uint32_t wp_sort_data_cgroup(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const char *name = wp_cgroup_names_of(&sort->cgroups, at->sample->sample.data);

	return name ? wp_strpool_id(&sort->strings, name) : WP_SORT_NONE;
}
