/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder_ids: the build-ids of the files a recording has mapped, and which of them were hit.
 *
 * Store stage. In: MAP records that have a build-id. Out: the feature BUILD_IDS, which tools read
 * to find (or archive) just the files that samples are in.
 */
#ifndef WP_RECORDER_IDS_H
#define WP_RECORDER_IDS_H

#include "base/str.h"
#include "base/strpool.h"
#include "core/record.h"
#include "format/perf/perfdata.h"

/* By the path's id in the pool; path itself is NULL. */
struct wp_recorder_id {
	struct wp_perfdata_build_id id;
	bool kernel, hit;
};

/* All-zero is empty. */
struct wp_recorder_ids {
	struct wp_strpool paths;
	WP_VEC(struct wp_recorder_id) ids;
};

/* Notes the build-id of a MAP record, the last one of a path. */
void wp_recorder_ids_map(struct wp_recorder_ids *ids, const struct wp_record_map *map);
/* There are samples in the file; nothing to do for one without a build-id. */
void wp_recorder_ids_hit(struct wp_recorder_ids *ids, const char *path);
/* Appends the feature's body; false when nothing was hit. */
bool wp_recorder_ids_put(const struct wp_recorder_ids *ids, struct wp_str *out);
void wp_recorder_ids_deinit(struct wp_recorder_ids *ids);

#endif
