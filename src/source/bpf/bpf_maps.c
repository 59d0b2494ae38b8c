/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_maps: see bpf_maps.h. */
#include "source/bpf/bpf_maps.h"

#include "base/keyed.h"

#include <string.h>

/* Chunks of each kind at most: 8.4 million rows in 100 MB, 16 MB of buckets, 260,000 ranges in 10
 * MB. */
#define ROW_CHUNKS    128
#define BUCKET_CHUNKS 64
#define RANGE_CHUNKS  32

_Static_assert(ROW_CHUNKS <= WP_WALK_CHUNKS, "the outer map has so many entries");

/* Where a mapping's words of the owner say nothing else. */
static const struct wp_walk_range no_rules;

void wp_bpf_maps_init(struct wp_bpf_maps *maps, const struct wp_bpf_maps_ops *ops, void *arg)
{
	*maps = (struct wp_bpf_maps){
		.ops = ops,
		.arg = arg,
		.tables.rows = {.pool = {.chunk = WP_WALK_ROWS, .chunks = ROW_CHUNKS},
				.slot_bytes = sizeof(struct wp_unwind_rule),
				.make = ops->make_rows,
				.arg = arg},
		.tables.buckets = {.pool = {.chunk = WP_WALK_BUCKETS,
					    .chunks = BUCKET_CHUNKS,
					    .straddles = true},
				   .slot_bytes = sizeof(struct wp_walk_bucket),
				   .make = ops->make_buckets,
				   .arg = arg},
		.ranges = {.pool = {.chunk = WP_WALK_RANGES, .chunks = RANGE_CHUNKS},
			   .slot_bytes = sizeof(struct wp_walk_range),
			   .make = ops->make_ranges,
			   .arg = arg},
	};
}

void wp_bpf_maps_deinit(struct wp_bpf_maps *maps)
{
	wp_bpf_tables_deinit(&maps->tables);
	wp_bpf_chunks_deinit(&maps->ranges);
	wp_map_deinit(&maps->known_of_pid);
	wp_vec_each (struct wp_bpf_known, known, &maps->known) {
		wp_mappings_release(&known->maps);
		free(known->plans);
	}
	wp_vec_deinit(&maps->known);
	wp_vec_deinit(&maps->scratch);
}

bool wp_bpf_maps_prepare(struct wp_bpf_maps *maps)
{
	struct wp_bpf_chunks *all[] = {&maps->tables.rows, &maps->tables.buckets, &maps->ranges};

	for (size_t i = 0; i < WP_ARRAY_LEN(all); i++) {
		struct wp_bpf_slice slice;

		if (!wp_bpf_chunks_take(all[i], 1, &slice))
			return false;
		wp_bpf_chunks_give(all[i], slice);
	}
	return true;
}

/* Processes that mapped the module before its table was there. */
static void refresh_users(struct wp_bpf_maps *maps, uint32_t id)
{
	wp_vec_each (struct wp_bpf_known, known, &maps->known) {
		size_t n;
		const struct wp_mapping *mappings = wp_mappings_all(known->maps, &n);

		for (size_t i = 0; i < n; i++)
			known->dirty |= mappings[i].image == id;
	}
}

/* Makes room of the tables of modules that nobody maps; false when there are none. */
static bool sweep_tables(struct wp_bpf_maps *maps)
{
	struct wp_map used = {0};
	bool swept;

	if (!maps->unmapped)
		return false;
	maps->unmapped = false;
	wp_vec_each (struct wp_bpf_known, known, &maps->known) {
		size_t n;
		const struct wp_mapping *mappings = wp_mappings_all(known->maps, &n);

		for (size_t i = 0; i < n; i++)
			*wp_map_put(&used, mappings[i].image) = 1;
	}
	swept = wp_bpf_tables_keep(&maps->tables, &used);
	wp_map_deinit(&used);
	if (swept)
		wp_bpf_maps_commit(maps);
	return swept;
}

bool wp_bpf_maps_add_table(struct wp_bpf_maps *maps, uint32_t id,
			   const struct wp_unwind_rule *rules, size_t n)
{
	if (wp_bpf_maps_has_table(maps, id))
		return true;
	if (!wp_bpf_tables_add(&maps->tables, id, rules, n) &&
	    (!sweep_tables(maps) || !wp_bpf_tables_add(&maps->tables, id, rules, n)))
		return false;
	refresh_users(maps, id);
	return true;
}

bool wp_bpf_maps_has_table(const struct wp_bpf_maps *maps, uint32_t id)
{
	return wp_bpf_tables_find(&maps->tables, id) != NULL;
}

void wp_bpf_maps_drop_table(struct wp_bpf_maps *maps, uint32_t id)
{
	if (wp_bpf_tables_drop(&maps->tables, id))
		refresh_users(maps, id);
}

bool wp_bpf_maps_replace_table(struct wp_bpf_maps *maps, uint32_t id,
			       const struct wp_unwind_rule *rules, size_t n)
{
	wp_bpf_maps_drop_table(maps, id);
	return wp_bpf_maps_add_table(maps, id, rules, n);
}

static struct wp_bpf_known *known_of(struct wp_bpf_maps *maps, uint32_t pid)
{
	return wp_keyed_put(&maps->known, &maps->known_of_pid, pid,
			    (struct wp_bpf_known){.pid = pid});
}

static struct wp_bpf_known *changed(struct wp_bpf_maps *maps, uint32_t pid, bool fresh)
{
	struct wp_bpf_known *known = known_of(maps, pid);

	known->dirty = known->present = true;
	known->fresh |= fresh;
	return known;
}

void wp_bpf_maps_add_range(struct wp_bpf_maps *maps, uint32_t pid, struct wp_va start, uint64_t len,
			   uint32_t table, uint64_t origin)
{
	struct wp_mapping mapping = {
		.start = start, .len = len, .image = table, .placed = true, .delta = origin};

	wp_mappings_add(&changed(maps, pid, false)->maps, &mapping);
}

static void set_python(struct wp_bpf_known *known, const struct wp_python_plan *plans, size_t n,
		       const struct wp_python_like *like)
{
	free(known->plans);
	known->plans = NULL;
	known->n_plans = (uint32_t)(n < WP_PYTHON_PLANS ? n : WP_PYTHON_PLANS);
	if (known->n_plans) {
		known->plans = wp_calloc(known->n_plans, sizeof(*plans));
		memcpy(known->plans, plans, known->n_plans * sizeof(*plans));
	}
	known->like = like && n == 1 ? *like : (struct wp_python_like){0};
	known->python_dirty = true;
}

void wp_bpf_maps_set_python(struct wp_bpf_maps *maps, uint32_t pid,
			    const struct wp_python_plan *plans, size_t n,
			    const struct wp_python_like *like)
{
	set_python(changed(maps, pid, false), plans, n, like);
}

/* The child's address space is a copy; the program must not take it for the parent's. */
static void fork_python(struct wp_bpf_maps *maps, uint32_t parent, uint32_t child)
{
	struct wp_bpf_known *to = known_of(maps, child), *from = known_of(maps, parent);

	if (!from->n_plans && !to->n_plans)
		return;
	set_python(to, from->plans, from->n_plans, NULL);
	to->python_fresh = true;
}

static void share_mappings(const struct wp_bpf_known *from, struct wp_bpf_known *to)
{
	wp_mappings_release(&to->maps);
	to->maps = wp_mappings_share(from->maps);
}

void wp_bpf_maps_fork(struct wp_bpf_maps *maps, uint32_t parent, uint32_t child)
{
	if (parent == child)
		return;
	changed(maps, child, true);
	(void)known_of(maps, parent); /* makes both before pointers to them are taken */
	share_mappings(known_of(maps, parent), known_of(maps, child));
	fork_python(maps, parent, child);
}

void wp_bpf_maps_exec(struct wp_bpf_maps *maps, uint32_t pid)
{
	struct wp_bpf_known *known = changed(maps, pid, true);

	wp_mappings_release(&known->maps);
	maps->unmapped = true;
	known->python_fresh = true;
	if (known->n_plans)
		set_python(known, NULL, 0, NULL);
}

/* The last one takes its place. */
static void forget_known_process(struct wp_bpf_maps *maps, size_t at)
{
	struct wp_bpf_known *last = &maps->known.v[--maps->known.n];

	wp_map_remove(&maps->known_of_pid, maps->known.v[at].pid);
	if (last == &maps->known.v[at])
		return;
	maps->known.v[at] = *last;
	*wp_map_put(&maps->known_of_pid, last->pid) = at + 1;
}

void wp_bpf_maps_drop(struct wp_bpf_maps *maps, uint32_t pid)
{
	const uint64_t *index = wp_map_get(&maps->known_of_pid, pid);
	struct wp_bpf_known *known;

	if (!index)
		return;
	maps->unmapped = true;
	known = &maps->known.v[*index - 1];
	if (known->present || known->told_python)
		maps->ops->drop_process(maps->arg, pid);
	wp_bpf_chunks_give(&maps->ranges, known->ranges);
	wp_mappings_release(&known->maps);
	free(known->plans);
	forget_known_process(maps, *index - 1);
}

static bool is_jit(uint32_t id)
{
	return id >= WP_BPF_JIT && id < WP_BPF_UNKNOWN;
}

static struct wp_walk_range range_of(const struct wp_bpf_maps *maps,
				     const struct wp_mapping *mapping)
{
	const struct wp_bpf_table *table = wp_bpf_tables_find(&maps->tables, mapping->image);
	struct wp_walk_range range = no_rules;

	range.start = mapping->start.v;
	range.end = mapping->start.v + mapping->len;
	if (mapping->image == WP_BPF_FRAME_POINTERS || is_jit(mapping->image))
		range.flags = WP_WALK_RANGE_FP;
	if (table) {
		if (is_jit(mapping->image))
			range.flags |= WP_WALK_RANGE_LATE;
		range.origin = mapping->delta;
		range.bucket = table->buckets.first;
		range.buckets = table->buckets.n;
		range.shift = table->shift;
	}
	return range;
}

static void collect_ranges(struct wp_bpf_maps *maps, const struct wp_bpf_known *known)
{
	size_t n;
	const struct wp_mapping *mappings = wp_mappings_all(known->maps, &n);

	maps->scratch.n = 0;
	for (size_t i = 0; i < n; i++)
		if (mappings[i].image != WP_BPF_UNKNOWN)
			wp_vec_push(&maps->scratch, range_of(maps, &mappings[i]));
}

uint32_t wp_bpf_maps_table_at(struct wp_bpf_maps *maps, uint32_t pid, struct wp_va va)
{
	const struct wp_bpf_known *known = wp_keyed_get(&maps->known, &maps->known_of_pid, pid);
	const struct wp_mapping *mapping = known ? wp_mappings_at(known->maps, va) : NULL;

	return mapping ? mapping->image : WP_BPF_UNKNOWN;
}

/*
 * New ranges go into a slice of their own and the process is pointed at them, so that a walk sees
 * the old ones or the new ones. The old slice is written again at the next commit at the earliest.
 */
static struct wp_bpf_slice commit_one(struct wp_bpf_maps *maps, struct wp_bpf_known *known)
{
	struct wp_bpf_slice old = known->ranges;
	struct wp_walk_process ret = {0};
	size_t n;

	collect_ranges(maps, known);
	n = maps->scratch.n;
	if (n > WP_WALK_RANGES || !wp_bpf_chunks_take(&maps->ranges, (uint32_t)n, &known->ranges)) {
		maps->processes_left_out++;
		known->ranges = (struct wp_bpf_slice){0};
		n = 0;
	}
	wp_bpf_chunks_write(&maps->ranges, known->ranges.first, maps->scratch.v, (uint32_t)n);
	ret.chunk = known->ranges.first / WP_WALK_RANGES;
	ret.first = known->ranges.first % WP_WALK_RANGES;
	ret.n = (uint32_t)n;
	ret.version = ++maps->version;
	maps->ops->put_process(maps->arg, known->pid, &ret, known->fresh);
	known->dirty = known->fresh = false;
	return old;
}

static void commit_python(struct wp_bpf_maps *maps, struct wp_bpf_known *known)
{
	maps->ops->put_python(maps->arg, known->pid, known);
	known->python_dirty = known->python_fresh = false;
	known->told_python = true;
}

void wp_bpf_maps_commit(struct wp_bpf_maps *maps)
{
	WP_VEC(struct wp_bpf_slice) old = {0};

	wp_vec_each (struct wp_bpf_known, known, &maps->known) {
		if (known->dirty)
			wp_vec_push(&old, commit_one(maps, known));
		if (known->python_dirty)
			commit_python(maps, known);
	}
	wp_vec_each (struct wp_bpf_slice, slice, &old)
		wp_bpf_chunks_give(&maps->ranges, *slice);
	wp_bpf_tables_give(&maps->tables);
	wp_vec_deinit(&old);
}
