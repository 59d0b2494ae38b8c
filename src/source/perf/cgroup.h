/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cgroup: the folder of a cgroup, wherever the system has mounted what can tell events by cgroups:
 * the perf_event controller of version 1, else version 2.
 */
#ifndef WP_CGROUP_H
#define WP_CGROUP_H

#include "base/str.h"
#include "core/record_keep.h"
#include "core/target.h"

/*
 * Opens the cgroups of a comma list, by their path below the mount ("system.slice/x.service") or
 * with it, and appends their descriptors to ret->cgroups.
 */
struct wp_err *wp_cgroups_open(const char *list, struct wp_target *ret) WP_MUST_CHECK;
/* Appends the names of those there are, a line each; of very many not all. */
void wp_cgroups_list(struct wp_str *ret);
/* Appends a CGROUP record (time_ns 0) of each: its path below the mount, "/" of the root. */
void wp_cgroups_tell(struct wp_records *ret);

#endif
