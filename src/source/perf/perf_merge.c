/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_merge: see perf_merge.h. */
#include "source/perf/perf_merge.h"

#include "base/invariant.h"
#include "core/record_keep.h"
#include "format/maps/proc_maps.h"

#include <string.h>

/* What a record points at lives in the arena of the round it came in; what stays moves to a new
 * one. */
static void move_record_to(struct wp_arena *arena, struct wp_record *record)
{
	if (record->kind == WP_RECORD_MAP)
		record->map.path = wp_arena_strndup(arena, record->map.path,
						    wp_proc_maps_path_len(record->map.path));
	else
		wp_record_keep(arena, record);
}

void wp_perf_merge_begin(struct wp_perf_merge *merge)
{
	size_t held = merge->records.n - merge->taken;
	struct wp_arena borrowed = {0};

	if (merge->taken == 0)
		return;
	if (held)
		memmove(merge->records.v, merge->records.v + merge->taken,
			held * sizeof(*merge->records.v));
	merge->records.n = held;
	merge->taken = 0;
	wp_vec_each (struct wp_record, record, &merge->records)
		move_record_to(&borrowed, record);
	wp_arena_deinit(&merge->borrowed);
	merge->borrowed = borrowed;
}

void wp_perf_merge_add(struct wp_perf_merge *merge, const struct wp_record *record)
{
	struct wp_record own = *record;

	move_record_to(&merge->borrowed, &own);
	wp_vec_push(&merge->records, own);
}

static int compare_merge_keys(const void *a, const void *b)
{
	const struct wp_perf_merge_key *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static bool in_order(const struct wp_perf_merge *merge)
{
	for (size_t i = 1; i < merge->records.n; i++)
		if (merge->records.v[i - 1].time_ns > merge->records.v[i].time_ns)
			return false;
	return true;
}

static void sort_waiting(struct wp_perf_merge *merge)
{
	if (in_order(merge))
		return;
	merge->keys.n = 0;
	merge->ordered.n = 0;
	for (size_t i = 0; i < merge->records.n; i++)
		wp_vec_push(&merge->keys,
			    (struct wp_perf_merge_key){merge->records.v[i].time_ns, i});
	qsort(merge->keys.v, merge->keys.n, sizeof(*merge->keys.v), compare_merge_keys);
	wp_vec_each (struct wp_perf_merge_key, key, &merge->keys)
		wp_vec_push(&merge->ordered, merge->records.v[key->index]);
	memcpy(merge->records.v, merge->ordered.v, merge->ordered.n * sizeof(*merge->ordered.v));
}

struct wp_batch wp_perf_merge_take(struct wp_perf_merge *merge, uint64_t horizon_ns)
{
	struct wp_batch batch = {0};

	wp_perf_merge_begin(merge);
	sort_waiting(merge);
	while (merge->taken < merge->records.n &&
	       merge->records.v[merge->taken].time_ns <= horizon_ns) {
		merge->late += merge->records.v[merge->taken].time_ns < merge->last_ns;
		merge->taken++;
	}
	wp_assert(merge->taken == merge->records.n ||
		  merge->records.v[merge->taken].time_ns > horizon_ns);
	if (merge->taken) {
		merge->last_ns = merge->records.v[merge->taken - 1].time_ns;
		batch.records = merge->records.v;
		batch.n = merge->taken;
	}
	return batch;
}

void wp_perf_merge_deinit(struct wp_perf_merge *merge)
{
	wp_vec_deinit(&merge->records);
	wp_vec_deinit(&merge->ordered);
	wp_vec_deinit(&merge->keys);
	wp_arena_deinit(&merge->borrowed);
}
