/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * block_dominators: see block_dominators.h. Lengauer and Tarjan, "A Fast Algorithm for Finding
 * Dominators in a Flowgraph" (1979), the simple version; nothing recurses, since graphs may be
 * deep. Numbers are those of the depth-first walk, from 0; a forest's roots dominate nothing of one
 * another.
 */
#include "aggregate/block_dominators.h"

#include "base/mem.h"

#define NONE UINT32_MAX

struct finding {
	const struct wp_blocks *blocks;
	struct wp_dominators *d;
	/* by number: */
	uint32_t *semi, *idom, *ancestor, *label, *bucket, *next_in_bucket;
	WP_VEC(uint32_t) stack;
};

static uint32_t *alloc_numbers(size_t n, uint32_t value)
{
	uint32_t *numbers = wp_calloc(n + 1, sizeof(*numbers));

	for (size_t i = 0; i <= n; i++)
		numbers[i] = value;
	return numbers;
}

static void find_preds(const struct wp_blocks *blocks, struct wp_dominators *d)
{
	wp_autofree uint32_t *used = alloc_numbers(d->n, 0);

	d->first_pred = alloc_numbers(d->n, 0);
	d->preds = alloc_numbers(blocks->edges.n, 0);
	wp_vec_each (const struct wp_flow_edge, edge, &blocks->edges)
		d->first_pred[edge->to + 1]++;
	for (size_t i = 0; i < d->n; i++)
		d->first_pred[i + 1] += d->first_pred[i];
	for (uint32_t i = 0; i < d->n; i++) {
		const struct wp_block *block = &blocks->blocks.v[i];

		for (uint32_t k = 0; k < block->n_to; k++) {
			uint32_t to = blocks->edges.v[block->first + k].to;

			d->preds[d->first_pred[to] + used[to]++] = i;
		}
	}
}

static void walk_from(struct finding *f, uint32_t root, uint32_t *n, uint32_t *next_edge)
{
	const struct wp_blocks *blocks = f->blocks;
	struct wp_dominators *d = f->d;

	d->number[root] = *n;
	d->parent[*n] = NONE;
	d->order[(*n)++] = root;
	wp_vec_push(&f->stack, root);
	while (f->stack.n) {
		uint32_t from = f->stack.v[f->stack.n - 1], to;
		const struct wp_block *block = &blocks->blocks.v[from];

		if (next_edge[from] == block->n_to) {
			f->stack.n--;
			continue;
		}
		to = blocks->edges.v[block->first + next_edge[from]++].to;
		if (d->number[to] != NONE || !wp_dominators_take(blocks, from, to))
			continue;
		d->number[to] = *n;
		d->parent[*n] = d->number[from];
		d->order[(*n)++] = to;
		wp_vec_push(&f->stack, to);
	}
}

/* The entry first; then what it does not reach, by address. */
static void walk_graph(struct finding *f)
{
	wp_autofree uint32_t *next_edge = alloc_numbers(f->d->n, 0);
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->d->n; i++)
		if (f->d->number[i] == NONE)
			walk_from(f, i, &n, next_edge);
}

/* The number with the smallest semidominator on the way up the forest that is linked so far. */
static uint32_t eval_label(struct finding *f, uint32_t v)
{
	if (f->ancestor[v] == NONE)
		return f->label[v];
	for (uint32_t u = v; f->ancestor[f->ancestor[u]] != NONE; u = f->ancestor[u])
		wp_vec_push(&f->stack, u);
	while (f->stack.n) {
		uint32_t u = f->stack.v[--f->stack.n], up = f->ancestor[u];

		if (f->semi[f->label[up]] < f->semi[f->label[u]])
			f->label[u] = f->label[up];
		f->ancestor[u] = f->ancestor[up];
	}
	return f->label[v];
}

static void find_semidominator(struct finding *f, uint32_t w)
{
	uint32_t block = f->d->order[w];

	for (uint32_t i = f->d->first_pred[block]; i < f->d->first_pred[block + 1]; i++) {
		uint32_t from = f->d->preds[i], u;

		if (!wp_dominators_take(f->blocks, from, block))
			continue;
		u = eval_label(f, f->d->number[from]);
		if (f->semi[u] < f->semi[w])
			f->semi[w] = f->semi[u];
	}
	f->next_in_bucket[w] = f->bucket[f->semi[w]];
	f->bucket[f->semi[w]] = w;
}

static void empty_bucket(struct finding *f, uint32_t parent)
{
	for (uint32_t v = f->bucket[parent]; v != NONE; v = f->next_in_bucket[v]) {
		uint32_t u = eval_label(f, v);

		f->idom[v] = f->semi[u] < f->semi[v] ? u : parent;
	}
	f->bucket[parent] = NONE;
}

static void find_immediate(struct finding *f)
{
	struct wp_dominators *d = f->d;

	for (uint32_t w = (uint32_t)d->n; w-- > 0;) {
		if (d->parent[w] == NONE)
			continue;
		find_semidominator(f, w);
		f->ancestor[w] = d->parent[w];
		empty_bucket(f, d->parent[w]);
	}
	for (uint32_t w = 0; w < d->n; w++) {
		if (d->parent[w] == NONE)
			continue;
		if (f->idom[w] != f->semi[w])
			f->idom[w] = f->idom[f->idom[w]];
		d->immediate[d->order[w]] = d->order[f->idom[w]];
	}
}

/* Children of a dominator come after it in the order of the walk, so that sizes add up backwards.
 */
static void clock_tree(struct wp_dominators *d)
{
	wp_autofree uint32_t *size = alloc_numbers(d->n, 1), *used = alloc_numbers(d->n, 1);
	uint32_t clock = 0;

	for (size_t i = d->n; i-- > 0;) {
		uint32_t block = d->order[i];

		if (d->immediate[block] != NONE)
			size[d->immediate[block]] += size[block];
	}
	for (size_t i = 0; i < d->n; i++) {
		uint32_t block = d->order[i], up = d->immediate[block];

		d->enter[block] = up == NONE ? clock : d->enter[up] + used[up];
		d->leave[block] = d->enter[block] + size[block];
		if (up == NONE)
			clock += size[block];
		else
			used[up] += size[block];
	}
}

void wp_dominators_find(const struct wp_blocks *blocks, struct wp_dominators *ret)
{
	size_t n = blocks->blocks.n;
	struct finding f = {.blocks = blocks, .d = ret};

	*ret = (struct wp_dominators){
		.n = n,
		.order = alloc_numbers(n, NONE),
		.number = alloc_numbers(n, NONE),
		.parent = alloc_numbers(n, NONE),
		.immediate = alloc_numbers(n, NONE),
		.enter = alloc_numbers(n, 0),
		.leave = alloc_numbers(n, 0),
	};
	find_preds(blocks, ret);
	walk_graph(&f);
	f.semi = alloc_numbers(n, 0);
	f.label = alloc_numbers(n, 0);
	for (uint32_t i = 0; i < n; i++)
		f.semi[i] = f.label[i] = i;
	f.idom = alloc_numbers(n, NONE);
	f.ancestor = alloc_numbers(n, NONE);
	f.bucket = alloc_numbers(n, NONE);
	f.next_in_bucket = alloc_numbers(n, NONE);
	find_immediate(&f);
	clock_tree(ret);
	free(f.semi);
	free(f.label);
	free(f.idom);
	free(f.ancestor);
	free(f.bucket);
	free(f.next_in_bucket);
	wp_vec_deinit(&f.stack);
}

void wp_dominators_deinit(struct wp_dominators *d)
{
	free(d->order);
	free(d->number);
	free(d->parent);
	free(d->immediate);
	free(d->enter);
	free(d->leave);
	free(d->first_pred);
	free(d->preds);
}
