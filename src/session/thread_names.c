/* thread_names: see thread_names.h. */
#include "session/thread_names.h"

void wp_thread_names_record(struct wp_thread_names *threads, const struct wp_record *record)
{
	const uint64_t *parent;
	uint64_t name;

	if (record->kind == WP_RECORD_COMM && record->comm.name) {
		name = wp_strpool_id(&threads->names, record->comm.name) + 1u;
		*wp_map_put(&threads->name_of, record->tid) = name;
	} else if (record->kind == WP_RECORD_FORK) {
		parent = wp_map_get(&threads->name_of, record->fork.parent_tid);
		name = parent ? *parent : 0;
		*wp_map_put(&threads->name_of, record->tid) = name;
	}
}

const char *wp_thread_names_get(const struct wp_thread_names *threads, uint32_t tid)
{
	const uint64_t *name = wp_map_get(&threads->name_of, tid);

	return name && *name ? wp_strpool_get(&threads->names, (uint32_t)*name - 1) : NULL;
}

void wp_thread_names_deinit(struct wp_thread_names *threads)
{
	wp_map_deinit(&threads->name_of);
	wp_strpool_deinit(&threads->names);
}
