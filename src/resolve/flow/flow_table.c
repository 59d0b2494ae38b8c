/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_table: tables of jumps, as far as their entries make sense; see flow_work.h. */
#include "resolve/flow/flow_work.h"

#include "base/bytes.h"

#include <string.h>

#define MOST_ENTRIES  ((size_t)1 << 18) /* of all tables of a function */
#define MOST_UNLIKELY 3 /* entries in a row of a guessed table that no block seems to begin at */
#define MOST_OUTSIDE  4 /* entries in a row of a guessed table that lead out of the function */

static bool read_entry(const struct wp_flow_work *work, const struct wp_flow_target *t, uint64_t i,
		       uint64_t *ret)
{
	uint64_t at = t->table + (i << t->stride), value = 0;
	uint8_t bytes[8] = {0};

	if (!t->has_plus)
		return work->of->pointer && work->of->pointer(work->of->arg, at, ret);
	if (t->width > sizeof(bytes) ||
	    work->of->read(work->of->arg, at, bytes, t->width) != t->width)
		return false;
	value = wp_u64_at(bytes);
	if (t->is_signed && t->width < 8 && value >> (8 * t->width - 1) & 1)
		value -= (uint64_t)1 << (8 * t->width);
	*ret = t->plus + (value << t->shift);
	return true;
}

static bool is_in_followed(const struct wp_flow_work *work, uint64_t rva)
{
	uint64_t offset = rva - work->of->start;

	return rva >= work->of->start && offset < work->of->n &&
	       offset % wp_flow_decoder_step(work->decoder) == 0;
}

/* A guess ends where an instruction would have to begin inside of another one. */
static bool fits_instructions(struct wp_flow_work *work, uint64_t rva)
{
	uint64_t offset = rva - work->of->start;

	return (!work->is_taken[offset] || work->op_at[offset]) &&
	       wp_flow_sweep_at(work, offset) & WP_SWEEP_BEGINS;
}

static bool may_begin_block(struct wp_flow_work *work, uint64_t rva)
{
	return is_in_followed(work, rva) &&
	       wp_flow_sweep_at(work, rva - work->of->start) & WP_SWEEP_LED_TO;
}

/*
 * Behind a table of relative entries stands another one, whose entries lead somewhere, too: seldom
 * to where blocks begin. A case that the one before it goes on to may look so, but not many in a
 * row.
 */
static bool goes_astray(struct wp_flow_work *work, const struct wp_flow_target *t, uint64_t i)
{
	uint64_t rva;

	for (uint64_t k = i; k < i + MOST_UNLIKELY && k < t->n && read_entry(work, t, k, &rva); k++)
		if (may_begin_block(work, rva))
			return false;
	return t->has_plus;
}

/* A table among the code is no code. */
static void take_table_bytes(struct wp_flow_work *work, uint64_t table, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++) {
		uint64_t offset = table + i - work->of->start;

		if (table + i < work->of->start || offset >= work->of->n)
			return;
		work->data_bytes += !work->is_taken[offset];
		work->is_taken[offset] = 1;
	}
}

/* The largest index there is in the table of indexes, and one. */
static uint64_t most_index(struct wp_flow_work *work, const struct wp_flow_target *t)
{
	uint64_t most = 0;

	for (uint64_t i = 0; i < t->n_index; i++) {
		uint8_t index;

		if (work->of->read(work->of->arg, t->index_table + i, &index, 1) != 1)
			return 0;
		if (index + 1u > most)
			most = index + 1u;
	}
	take_table_bytes(work, t->index_table, t->n_index);
	return most;
}

/* What a table leads to, while it is read. */
struct entries {
	WP_VEC(uint32_t) to; /* offsets */
	uint64_t n;	     /* entries, to the last one that leads into the function */
};

/* Where compilers put a part of a function that is hardly ever run. */
static bool is_other_code(const struct wp_flow_work *work, uint64_t rva)
{
	uint8_t byte;

	return rva && work->of->read(work->of->arg, rva, &byte, 1) == 1;
}

/* Of a table without a known end: as long as entries make sense. */
static void read_guessed(struct wp_flow_work *work, const struct wp_flow_target *t,
			 struct entries *ret)
{
	uint64_t most_outside = t->n == WP_FLOW_BYTE_VALUES ? t->n : MOST_OUTSIDE;
	uint64_t i = 0, rva;

	for (; i < t->n && work->entries < MOST_ENTRIES && read_entry(work, t, i, &rva); i++) {
		bool inside = is_in_followed(work, rva);

		if (i && wp_map_get(&work->begins, t->table + (i << t->stride)))
			break;
		if (inside ? !fits_instructions(work, rva) || goes_astray(work, t, i)
			   : i - ret->n >= most_outside || !is_other_code(work, rva))
			break;
		work->entries++;
		if (!inside)
			continue;
		wp_vec_push(&ret->to, (uint32_t)(rva - work->of->start));
		ret->n = i + 1;
	}
}

/* All entries of a table that has that many; false: they make no sense. */
static bool read_bounded(struct wp_flow_work *work, const struct wp_flow_target *t,
			 struct entries *ret)
{
	uint64_t rva;

	for (; ret->n < t->n; ret->n++) {
		if (work->entries++ >= MOST_ENTRIES || !read_entry(work, t, ret->n, &rva))
			return false;
		if (is_in_followed(work, rva))
			wp_vec_push(&ret->to, (uint32_t)(rva - work->of->start));
		else if (!is_other_code(work, rva))
			return false;
	}
	return ret->to.n > 0;
}

bool wp_flow_table(struct wp_flow_work *work, uint32_t op, const struct wp_flow_target *target)
{
	struct wp_flow_target t = *target;
	struct entries entries = {.n = 0};
	bool makes_sense;

	if (t.n_index) {
		t.n = most_index(work, &t);
		t.guessed = false;
	}
	if (t.guessed) {
		read_guessed(work, &t, &entries);
		makes_sense = entries.to.n > 1 && entries.to.n >= entries.n / 4;
	} else {
		makes_sense = read_bounded(work, &t, &entries);
	}
	work->cut |= work->entries >= MOST_ENTRIES;
	if (makes_sense) {
		for (size_t i = 0; i < entries.to.n; i++)
			wp_flow_work_lead(work, op, entries.to.v[i], WP_EDGE_TABLE);
		take_table_bytes(work, t.table, entries.n << t.stride);
		work->tables++;
		work->guessed += t.guessed && entries.n < WP_FLOW_BYTE_VALUES;
	}
	wp_vec_deinit(&entries.to);
	return makes_sense;
}
