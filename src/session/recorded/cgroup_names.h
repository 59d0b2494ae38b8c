/* SPDX-License-Identifier: BSD-3-Clause */
/* cgroup_names: what the cgroups are called that samples of a recording name by their ids. */
#ifndef WP_CGROUP_NAMES_H
#define WP_CGROUP_NAMES_H

#include "base/map.h"
#include "base/strpool.h"
#include "core/record.h"

/* All-zero knows none. */
struct wp_cgroup_names {
	struct wp_map at; /* the kernel's id -> id in names + 1 */
	struct wp_strpool names;
};

/* Of all records those that matter. */
void wp_cgroup_names_take(struct wp_cgroup_names *names, const struct wp_record *record);
/* The path of a sample's cgroup, borrowed; NULL: it says none, or nothing said what it is called.
 */
const char *wp_cgroup_names_of(const struct wp_cgroup_names *names,
			       const struct wp_sample_data *data);
void wp_cgroup_names_deinit(struct wp_cgroup_names *names);

#endif
