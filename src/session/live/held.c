/* SPDX-License-Identifier: BSD-3-Clause */
/* held: see held.h. */
#include "session/live/held.h"

#include "base/invariant.h"

#define BLOCK_BYTES (1u << 20)

static void free_held_block(struct wp_held_block *block)
{
	wp_vec_deinit(&block->records);
	wp_arena_deinit(&block->arena);
}

/* The block that takes one more record. */
static struct wp_held_block *open_held_block(struct wp_held *held)
{
	size_t n = held->blocks.n;

	if (n == held->gone || held->blocks.v[n - 1].bytes >= BLOCK_BYTES)
		wp_vec_push(&held->blocks, (struct wp_held_block){0});
	return &held->blocks.v[held->blocks.n - 1];
}

void wp_held_add(struct wp_held *held, const struct wp_record *record)
{
	struct wp_held_block *block = open_held_block(held);
	struct wp_record own = *record;
	size_t bytes = sizeof(own) + wp_record_keep(&block->arena, &own);

	wp_vec_push(&block->records, own);
	block->bytes += bytes;
	held->bytes += bytes;
	held->n++;
}

const struct wp_record *wp_held_first(const struct wp_held *held)
{
	return held->n ? &held->blocks.v[held->gone].records.v[held->at] : NULL;
}

void wp_held_drop(struct wp_held *held)
{
	struct wp_held_block *block = &held->blocks.v[held->gone];

	wp_assert(held->n && held->at < block->records.n);
	held->n--;
	if (++held->at < block->records.n)
		return;
	held->bytes -= block->bytes;
	held->at = 0;
	free_held_block(block);
	held->gone++;
	if (!held->n)
		held->blocks.n = held->gone = 0;
}

void wp_held_deinit(struct wp_held *held)
{
	for (size_t i = held->gone; i < held->blocks.n; i++)
		free_held_block(&held->blocks.v[i]);
	wp_vec_deinit(&held->blocks);
	*held = (struct wp_held){0};
}
