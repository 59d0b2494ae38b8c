/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_tables: see bpf_tables.h. */
#include "source/bpf/bpf_tables.h"

#include "base/keyed.h"
#include "source/bpf/bpf_index.h"

static void deinit_all(struct wp_bpf_table *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		wp_vec_deinit(&table[i].rows);
}

void wp_bpf_tables_deinit(struct wp_bpf_tables *tables)
{
	wp_bpf_chunks_deinit(&tables->rows);
	wp_bpf_chunks_deinit(&tables->buckets);
	wp_map_deinit(&tables->of_id);
	deinit_all(tables->all.v, tables->all.n);
	deinit_all(tables->retired.v, tables->retired.n);
	wp_vec_deinit(&tables->all);
	wp_vec_deinit(&tables->retired);
}

/* Copies one part's rows and lets its buckets say where they are. */
static bool place_part(struct wp_bpf_tables *tables, const struct wp_unwind_rule *rules,
		       struct wp_bpf_index *index, const struct wp_bpf_part *part,
		       struct wp_bpf_table *table)
{
	struct wp_bpf_slice slice;

	if (!wp_bpf_chunks_take(&tables->rows, part->n, &slice))
		return false;
	wp_vec_push(&table->rows, slice);
	wp_bpf_chunks_write(&tables->rows, slice.first, rules + part->first, part->n);
	for (uint32_t i = 0; i < part->n_buckets; i++) {
		struct wp_walk_bucket *bucket = &index->buckets.v[part->first_bucket + i];

		bucket->row = bucket->row - part->first + slice.first;
	}
	return true;
}

static bool place_table(struct wp_bpf_tables *tables, const struct wp_unwind_rule *rules,
			struct wp_bpf_index *index, struct wp_bpf_table *ret)
{
	wp_vec_each (struct wp_bpf_part, part, &index->parts)
		if (!place_part(tables, rules, index, part, ret))
			return false;
	if (!wp_bpf_chunks_take(&tables->buckets, (uint32_t)index->buckets.n, &ret->buckets))
		return false;
	wp_bpf_chunks_write(&tables->buckets, ret->buckets.first, index->buckets.v,
			    (uint32_t)index->buckets.n);
	ret->shift = index->shift;
	return true;
}

static void give_table(struct wp_bpf_tables *tables, struct wp_bpf_table *table)
{
	wp_vec_each (struct wp_bpf_slice, slice, &table->rows)
		wp_bpf_chunks_give(&tables->rows, *slice);
	wp_vec_deinit(&table->rows);
	wp_bpf_chunks_give(&tables->buckets, table->buckets);
	*table = (struct wp_bpf_table){.id = table->id, .left_out = table->left_out};
}

/* The table in `all` that has the id, made when the id is new. */
static struct wp_bpf_table *table_with_id(struct wp_bpf_tables *tables, uint32_t id)
{
	return wp_keyed_put(&tables->all, &tables->of_id, id, (struct wp_bpf_table){.id = id});
}

/* True with *ret placed. */
static bool try_place(struct wp_bpf_tables *tables, const struct wp_unwind_rule *rules, size_t n,
		      struct wp_bpf_table *ret)
{
	struct wp_bpf_index index = {0};
	bool placed = false;

	/* Making an index takes milliseconds, and a module is met again and again. */
	if (tables->too_many && n >= tables->too_many)
		return false;
	if (wp_bpf_index_build(rules, n, &index)) {
		placed = place_table(tables, rules, &index, ret);
		if (!placed) {
			give_table(tables, ret);
			tables->too_many = n;
		}
	}
	wp_bpf_index_deinit(&index);
	return placed;
}

bool wp_bpf_tables_add(struct wp_bpf_tables *tables, uint32_t id,
		       const struct wp_unwind_rule *rules, size_t n)
{
	struct wp_bpf_table *table = table_with_id(tables, id);
	bool left_out = !try_place(tables, rules, n, table);

	tables->left_out += left_out;
	tables->left_out -= table->left_out;
	table->left_out = left_out;
	return !left_out;
}

const struct wp_bpf_table *wp_bpf_tables_find(const struct wp_bpf_tables *tables, uint32_t id)
{
	const struct wp_bpf_table *table = wp_keyed_get(&tables->all, &tables->of_id, id);

	return table && table->buckets.n ? table : NULL;
}

static void retire(struct wp_bpf_tables *tables, struct wp_bpf_table *table)
{
	wp_vec_push(&tables->retired, *table);
	*table = (struct wp_bpf_table){.id = table->id};
}

bool wp_bpf_tables_drop(struct wp_bpf_tables *tables, uint32_t id)
{
	if (!wp_bpf_tables_find(tables, id))
		return false;
	retire(tables, table_with_id(tables, id));
	return true;
}

bool wp_bpf_tables_keep(struct wp_bpf_tables *tables, const struct wp_map *used)
{
	size_t before = tables->retired.n;

	wp_vec_each (struct wp_bpf_table, table, &tables->all)
		if (table->buckets.n && !wp_map_get(used, table->id))
			retire(tables, table);
	return tables->retired.n > before;
}

void wp_bpf_tables_give(struct wp_bpf_tables *tables)
{
	wp_vec_each (struct wp_bpf_table, table, &tables->retired)
		give_table(tables, table);
	if (tables->retired.n)
		tables->too_many = 0;
	tables->retired.n = 0;
}
