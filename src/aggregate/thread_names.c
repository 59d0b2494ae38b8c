/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_names: see thread_names.h. */
#include "aggregate/thread_names.h"

#include "base/utf8.h"

/* Of a name in text. */
#define NAME_COLUMNS 40
#define NAME_BYTES   400

static void set(struct wp_thread_names *names, struct wp_map *map, uint32_t tid, const char *name)
{
	*wp_map_put(map, tid) = wp_strpool_id(&names->strings, name) + 1;
}

static void forget_thread(struct wp_map *map, uint32_t tid)
{
	uint64_t *name = wp_map_get(map, tid);

	if (name)
		*name = 0;
}

static void fork_thread(struct wp_thread_names *names, uint32_t parent, uint32_t tid)
{
	const uint64_t *comm = wp_map_get(&names->comm_of, parent);
	uint64_t id = comm ? *comm : 0;

	*wp_map_put(&names->comm_of, tid) = id;
	forget_thread(&names->name_of, tid);
}

void wp_thread_names_changed(void *arg, const struct wp_process_change *change)
{
	struct wp_thread_names *names = arg;
	const struct wp_record *record = change->record;

	switch (change->kind) {
	case WP_PROCESS_EXECED: forget_thread(&names->name_of, record->tid); /* fallthrough */
	case WP_THREAD_NAMED:
		if (record->comm.name)
			set(names, &names->comm_of, record->tid, record->comm.name);
		break;
	case WP_THREAD_CALLED: set(names, &names->name_of, record->tid, record->named.name); break;
	case WP_PROCESS_BEGAN:
	case WP_THREAD_BEGAN: fork_thread(names, record->fork.parent_tid, record->tid); break;
	default: break;
	}
}

void wp_thread_names_record(struct wp_thread_names *names, const struct wp_record *record)
{
	struct wp_process_change change = {wp_process_change_of(record), record};

	wp_thread_names_changed(names, &change);
}

static const char *find_thread_name(const struct wp_thread_names *names, const struct wp_map *map,
				    uint32_t tid)
{
	const uint64_t *id = wp_map_get(map, tid);

	return id && *id ? wp_strpool_get(&names->strings, (uint32_t)(*id - 1)) : NULL;
}

const char *wp_thread_names_get(const struct wp_thread_names *names, uint32_t tid)
{
	const char *name = find_thread_name(names, &names->name_of, tid);

	return name ? name : wp_thread_names_comm(names, tid);
}

const char *wp_thread_names_comm(const struct wp_thread_names *names, uint32_t tid)
{
	return find_thread_name(names, &names->comm_of, tid);
}

const char *wp_thread_names_text(const struct wp_thread_names *names, uint32_t tid,
				 struct wp_arena *arena)
{
	const char *name = wp_thread_names_get(names, tid);
	size_t n;

	if (!name)
		return wp_arena_printf(arena, "%u", tid);
	n = wp_utf8_bytes_within(name, NAME_COLUMNS, NAME_BYTES);
	return wp_arena_printf(arena, "%.*s%s %u", (int)n, name, name[n] ? "..." : "", tid);
}

void wp_thread_names_deinit(struct wp_thread_names *names)
{
	wp_map_deinit(&names->comm_of);
	wp_map_deinit(&names->name_of);
	wp_strpool_deinit(&names->strings);
}
