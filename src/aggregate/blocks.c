/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks: see blocks.h. */
#include "aggregate/blocks.h"

#include "aggregate/block_dominators.h"
#include "aggregate/block_loops.h"
#include "base/mem.h"

static uint64_t *alloc_counts(struct wp_blocks_list *list)
{
	return wp_arena_alloc(&list->arena, list->n_events * sizeof(uint64_t));
}

struct wp_blocks *wp_blocks_add(struct wp_blocks_list *list, const char *name, const char *module,
				const struct wp_flow_graph *graph)
{
	struct wp_blocks blocks = {
		.name = wp_arena_strdup(&list->arena, name),
		.module = module ? wp_arena_strdup(&list->arena, module) : NULL,
		.start = graph->blocks.n ? graph->blocks.v[0].start : 0,
		.samples = alloc_counts(list),
		.path_samples = alloc_counts(list),
		.tables = graph->tables,
		.guessed = graph->guessed,
		.pointers = graph->pointers,
		.unfollowed = graph->unfollowed,
		.data_bytes = graph->data_bytes,
		.cut = graph->cut,
	};

	wp_vec_each (const struct wp_flow_block, of, &graph->blocks) {
		struct wp_block block = {
			.start = of->start,
			.size = of->size,
			.first_instruction = of->first_instruction,
			.instructions = of->instructions,
			.end = of->end,
			.reached = of->reached,
			.leaves = of->leaves,
			.first = of->first,
			.n_to = of->n_to,
			.loop = WP_NO_LOOP,
			.samples = alloc_counts(list),
		};

		wp_vec_push(&blocks.blocks, block);
	}
	wp_vec_each (const struct wp_flow_edge, edge, &graph->edges)
		wp_vec_push(&blocks.edges, *edge);
	wp_vec_each (const uint64_t, rva, &graph->instructions)
		wp_vec_push(&blocks.instructions, *rva);
	wp_vec_push(&list->functions, blocks);
	return &list->functions.v[list->functions.n - 1];
}

/* The last one that does not begin behind the address, or NULL. */
static struct wp_block *find_block(struct wp_blocks *blocks, uint64_t rva)
{
	size_t low = 0, high = blocks->blocks.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (blocks->blocks.v[mid].start <= rva)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &blocks->blocks.v[low - 1] : NULL;
}

void wp_blocks_count(struct wp_blocks *blocks, uint64_t rva, uint32_t event, uint64_t samples)
{
	struct wp_block *block = find_block(blocks, rva);

	blocks->samples[event] += samples;
	if (block)
		block->samples[event] += samples;
}

static void sum_up_loops(struct wp_blocks_list *list, struct wp_blocks *blocks)
{
	wp_vec_each (struct wp_block_loop, loop, &blocks->loops)
		loop->samples = alloc_counts(list);
	for (size_t event = 0; event < list->n_events; event++) {
		wp_vec_each (const struct wp_block, block, &blocks->blocks)
			if (block->loop != WP_NO_LOOP)
				blocks->loops.v[block->loop].samples[event] +=
					block->samples[event];
		for (size_t i = blocks->loops.n; i-- > 0;) {
			const struct wp_block_loop *loop = &blocks->loops.v[i];

			if (loop->parent != WP_NO_LOOP)
				blocks->loops.v[loop->parent].samples[event] +=
					loop->samples[event];
		}
	}
}

/* By block: samples of what it dominates. */
static uint64_t *sum_up_dominated(const struct wp_blocks *blocks, const struct wp_dominators *d,
				  uint32_t event)
{
	uint64_t *sums = wp_calloc(d->n + 1, sizeof(*sums));

	for (size_t i = d->n; i-- > 0;) {
		uint32_t block = d->order[i];

		sums[block] += blocks->blocks.v[block].samples[event];
		if (d->immediate[block] != UINT32_MAX)
			sums[d->immediate[block]] += sums[block];
	}
	return sums;
}

/* Of blocks with the same sum the one that stands behind, then the one with the smaller address. */
static uint32_t hottest_next(const struct wp_blocks *blocks, uint32_t from, const uint64_t *sums)
{
	const struct wp_block *block = &blocks->blocks.v[from];
	uint32_t best = WP_NO_LOOP;
	bool is_next = false;

	for (uint32_t i = 0; i < block->n_to; i++) {
		const struct wp_flow_edge *edge = &blocks->edges.v[block->first + i];
		bool next = edge->kind == WP_EDGE_NEXT;

		if (blocks->blocks.v[edge->to].on_path)
			continue;
		if (best == WP_NO_LOOP || sums[edge->to] > sums[best] ||
		    (sums[edge->to] == sums[best] && next && !is_next)) {
			best = edge->to;
			is_next = next;
		}
	}
	return best;
}

static void find_path(struct wp_blocks_list *list, struct wp_blocks *blocks,
		      const struct wp_dominators *d, uint32_t event)
{
	wp_autofree uint64_t *sums = sum_up_dominated(blocks, d, event);

	for (uint32_t at = 0; at != WP_NO_LOOP; at = hottest_next(blocks, at, sums)) {
		blocks->blocks.v[at].on_path = true;
		wp_vec_push(&blocks->path, at);
		for (size_t i = 0; i < list->n_events; i++)
			blocks->path_samples[i] += blocks->blocks.v[at].samples[i];
	}
}

void wp_blocks_finish(struct wp_blocks_list *list, struct wp_blocks *blocks, uint32_t event)
{
	wp_autodominators struct wp_dominators dominators = {.n = 0};

	if (!blocks->blocks.n)
		return;
	wp_dominators_find(blocks, &dominators);
	wp_block_loops_find(blocks, &dominators);
	sum_up_loops(list, blocks);
	find_path(list, blocks, &dominators, event);
}

void wp_blocks_list_deinit(struct wp_blocks_list *list)
{
	wp_vec_each (struct wp_blocks, blocks, &list->functions) {
		wp_vec_deinit(&blocks->blocks);
		wp_vec_deinit(&blocks->edges);
		wp_vec_deinit(&blocks->instructions);
		wp_vec_deinit(&blocks->loops);
		wp_vec_deinit(&blocks->path);
	}
	wp_vec_deinit(&list->functions);
	wp_arena_deinit(&list->arena);
}
