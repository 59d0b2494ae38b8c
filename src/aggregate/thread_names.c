/* thread_names: see thread_names.h. */
#include "aggregate/thread_names.h"

void wp_thread_names_record(struct wp_thread_names *names, const struct wp_record *record)
{
	const uint64_t *parent;
	uint64_t name;

	switch (record->kind) {
	case WP_RECORD_COMM:
		if (!record->comm.name)
			break;
		name = wp_strpool_id(&names->strings, record->comm.name) + 1;
		*wp_map_put(&names->name_of, record->tid) = name;
		break;
	case WP_RECORD_FORK:
		parent = wp_map_get(&names->name_of, record->fork.parent_tid);
		name = parent ? *parent : 0;
		*wp_map_put(&names->name_of, record->tid) = name;
		break;
	default: break;
	}
}

const char *wp_thread_names_get(const struct wp_thread_names *names, uint32_t tid)
{
	const uint64_t *name = wp_map_get(&names->name_of, tid);

	return name && *name ? wp_strpool_get(&names->strings, (uint32_t)(*name - 1)) : NULL;
}

void wp_thread_names_deinit(struct wp_thread_names *names)
{
	wp_map_deinit(&names->name_of);
	wp_strpool_deinit(&names->strings);
}
