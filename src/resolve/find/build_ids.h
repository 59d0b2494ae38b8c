/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build_ids: the build-ids of files that processes map, while they map them.
 *
 * Resolve stage, for recordings: device and inode, which the kernel tells, mean nothing on another
 * machine or after an update, a build-id does. Each file is looked into once.
 */
#ifndef WP_BUILD_IDS_H
#define WP_BUILD_IDS_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "core/record.h"

struct wp_build_id {
	uint8_t id[WP_BUILD_ID_MAX];
	uint8_t len; /* 0: the file has none, or could not be read */
};

/* All-zero is empty. */
struct wp_build_ids {
	struct wp_strpool paths;
	struct wp_map by_file;
	WP_VEC(struct wp_build_id) ids;
};

/* Gives a mapping of the process the build-id of its file, where it has none and there is one. */
void wp_build_ids_give(struct wp_build_ids *ids, uint32_t pid, struct wp_record_map *map);
void wp_build_ids_deinit(struct wp_build_ids *ids);

#endif
