/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block_loops: see block_loops.h. Inner loops come first: a header's number in the depth-first walk
 * is greater than that of a header around it. What is found is then one block to the next, so that
 * each block is met once (Tarjan, "Testing Flow Graph Reducibility", 1974).
 */
#include "aggregate/block_loops.h"

#include "base/mem.h"

struct loop_finding {
	struct wp_blocks *blocks;
	const struct wp_dominators *d;
	uint32_t
		*inside; /* by block: the header of a loop that it is in, or itself: a union-find */
	uint32_t *loop_of; /* by header: index of its loop */
	WP_VEC(uint32_t) todo;
};

/* The outermost header found so far of a loop that the block is in, or the block. */
static uint32_t outermost(struct loop_finding *f, uint32_t block)
{
	while (f->inside[block] != block) {
		f->inside[block] = f->inside[f->inside[block]];
		block = f->inside[block];
	}
	return block;
}

static bool leads_back(const struct loop_finding *f, uint32_t from, uint32_t to)
{
	return wp_dominators_take(f->blocks, from, to) && wp_dominates(f->d, to, from);
}

/* A block, or a whole inner loop, is in the loop. */
static void take_in(struct loop_finding *f, uint32_t header, uint32_t loop, uint32_t block)
{
	struct wp_blocks *blocks = f->blocks;

	if (f->loop_of[block] != WP_NO_LOOP)
		blocks->loops.v[f->loop_of[block]].parent = loop;
	else
		blocks->blocks.v[block].loop = loop;
	f->inside[block] = header;
	for (uint32_t i = f->d->first_pred[block]; i < f->d->first_pred[block + 1]; i++)
		if (wp_dominators_take(blocks, f->d->preds[i], block))
			wp_vec_push(&f->todo, f->d->preds[i]);
}

static void find_loop_of(struct loop_finding *f, uint32_t header)
{
	struct wp_block_loop loop = {.header = header, .parent = WP_NO_LOOP};
	uint32_t index = (uint32_t)f->blocks->loops.n;
	bool any = false;

	for (uint32_t i = f->d->first_pred[header]; i < f->d->first_pred[header + 1]; i++)
		if (leads_back(f, f->d->preds[i], header)) {
			any = true;
			wp_vec_push(&f->todo, f->d->preds[i]);
		}
	if (!any)
		return;
	wp_vec_push(&f->blocks->loops, loop);
	while (f->todo.n) {
		uint32_t block = outermost(f, f->todo.v[--f->todo.n]);

		if (block != header && wp_dominates(f->d, header, block))
			take_in(f, header, index, block);
	}
	f->loop_of[header] = index;
	f->blocks->blocks.v[header].loop = index;
}

/* Ways back up the depth-first walk to a block that does not dominate where they begin. */
static uint32_t count_irreducible(const struct wp_blocks *blocks, const struct wp_dominators *d)
{
	wp_autofree uint32_t *last = wp_calloc(d->n + 1, sizeof(*last)); /* below it in the walk */
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n; i++)
		last[i] = i;
	for (size_t i = d->n; i-- > 0;)
		if (d->parent[i] != UINT32_MAX && last[i] > last[d->parent[i]])
			last[d->parent[i]] = last[i];
	for (uint32_t from = 0; from < d->n; from++)
		for (uint32_t k = 0; k < blocks->blocks.v[from].n_to; k++) {
			uint32_t to = blocks->edges.v[blocks->blocks.v[from].first + k].to;
			uint32_t a = d->number[to], b = d->number[from];

			n += wp_dominators_take(blocks, from, to) && a <= b && b <= last[a] &&
			     !wp_dominates(d, to, from);
		}
	return n;
}

/* Outer loops first. */
static void turn_loops(struct wp_blocks *blocks)
{
	size_t n = blocks->loops.n;

	for (size_t i = 0; i < n / 2; i++) {
		struct wp_block_loop loop = blocks->loops.v[i];

		blocks->loops.v[i] = blocks->loops.v[n - 1 - i];
		blocks->loops.v[n - 1 - i] = loop;
	}
	wp_vec_each (struct wp_block, block, &blocks->blocks)
		if (block->loop != WP_NO_LOOP)
			block->loop = (uint32_t)n - 1 - block->loop;
	wp_vec_each (struct wp_block_loop, loop, &blocks->loops) {
		if (loop->parent != WP_NO_LOOP)
			loop->parent = (uint32_t)n - 1 - loop->parent;
		loop->depth =
			loop->parent == WP_NO_LOOP ? 1 : blocks->loops.v[loop->parent].depth + 1;
	}
}

static void count_loop_blocks(struct wp_blocks *blocks)
{
	wp_vec_each (const struct wp_block, block, &blocks->blocks)
		if (block->loop != WP_NO_LOOP)
			blocks->loops.v[block->loop].blocks++;
	for (size_t i = blocks->loops.n; i-- > 0;)
		if (blocks->loops.v[i].parent != WP_NO_LOOP)
			blocks->loops.v[blocks->loops.v[i].parent].blocks +=
				blocks->loops.v[i].blocks;
}

void wp_block_loops_find(struct wp_blocks *blocks, const struct wp_dominators *dominators)
{
	struct loop_finding f = {.blocks = blocks, .d = dominators};

	f.inside = wp_calloc(f.d->n + 1, sizeof(*f.inside));
	f.loop_of = wp_calloc(f.d->n + 1, sizeof(*f.loop_of));
	for (uint32_t i = 0; i < f.d->n; i++) {
		f.inside[i] = i;
		f.loop_of[i] = WP_NO_LOOP;
		blocks->blocks.v[i].loop = WP_NO_LOOP;
	}
	for (size_t i = f.d->n; i-- > 0;)
		find_loop_of(&f, f.d->order[i]);
	turn_loops(blocks);
	count_loop_blocks(blocks);
	blocks->irreducible = count_irreducible(blocks, dominators);
	free(f.inside);
	free(f.loop_of);
	wp_vec_deinit(&f.todo);
}
