/* SPDX-License-Identifier: BSD-3-Clause */
/* code_flow: see code_flow.h. Instructions first, then blocks of them. */
#include "resolve/flow/code_flow.h"

#include "base/mem.h"
#include "resolve/flow/flow_work.h"

#include <string.h>

#define MOST_ROUNDS 64 /* in which tables lead to code that has more of them */

static bool is_in_function(const struct wp_flow_work *work, uint64_t rva)
{
	return rva >= work->of->start && rva - work->of->start < work->of->n;
}

static bool op_goes_on(const struct wp_flow_work *work, const struct wp_flow_op *op)
{
	switch (op->kind) {
	case WP_FLOW_ON:
	case WP_FLOW_BRANCH: return true;
	case WP_FLOW_TO_CALL:
		return !op->has_target || !work->of->no_return ||
		       !work->of->no_return(work->of->arg, op->target);
	default: return false;
	}
}

/* The instruction at an offset that is none yet; false when there is none. */
static bool decode_at(struct wp_flow_work *work, uint32_t at)
{
	const struct wp_code_flow_of *of = work->of;
	struct wp_flow_op op = {.at = at};

	if (!wp_flow_decode(work->decoder, of->bytes + at, of->n - at, of->start + at, &op))
		return false;
	wp_vec_push(&work->ops, op);
	if (op.kind == WP_FLOW_INDIRECT)
		wp_vec_push(&work->indirect, (uint32_t)work->ops.n - 1);
	work->op_at[at] = (uint32_t)work->ops.n;
	memset(work->is_taken + at, 1, op.size);
	return true;
}

/* One instruction and where it leads. */
static void follow_op(struct wp_flow_work *work, uint32_t index)
{
	struct wp_flow_op *op = &work->ops.v[index];
	uint32_t behind = op->at + op->size;
	bool jumps = op->kind == WP_FLOW_TO || op->kind == WP_FLOW_BRANCH;

	if (jumps && op->has_target && is_in_function(work, op->target))
		wp_flow_work_lead(work, index, (uint32_t)(op->target - work->of->start),
				  WP_EDGE_JUMP);
	if (!op_goes_on(work, op)) {
		if (op->kind == WP_FLOW_TO_CALL)
			op->kind = WP_FLOW_STOP;
		return;
	}
	if (behind < work->of->n)
		wp_flow_work_lead(work, index, behind, WP_EDGE_NEXT);
}

static void follow_todo(struct wp_flow_work *work)
{
	while (work->todo.n) {
		uint32_t at = work->todo.v[--work->todo.n];

		if (!work->op_at[at] && decode_at(work, at))
			follow_op(work, work->op_at[at] - 1);
	}
}

/* Tables whose end is a guess are read when `guesses`: others are known by then, and end them. */
static void follow_indirect(struct wp_flow_work *work, uint32_t index, bool guesses)
{
	struct wp_flow_target target = wp_flow_value(work, index);

	if (target.kind == WP_TARGET_POINTER)
		work->ops.v[index].kind = WP_FLOW_POINTER;
	if (target.kind != WP_TARGET_TABLE)
		return;
	*wp_map_put(&work->begins, target.table) = 1;
	if ((guesses || !target.guessed) && wp_flow_table(work, index, &target))
		work->ops.v[index].kind = WP_FLOW_TABLE;
}

static void follow_all_indirect(struct wp_flow_work *work, size_t first, bool guesses)
{
	for (size_t i = first; i < work->indirect.n; i++)
		if (work->ops.v[work->indirect.v[i]].kind == WP_FLOW_INDIRECT)
			follow_indirect(work, work->indirect.v[i], guesses);
	follow_todo(work);
}

/* Indirect jumps from the `first` one that was found on, as long as they lead to new code. */
static void follow_tables(struct wp_flow_work *work, size_t first)
{
	size_t known = 0;

	for (int round = 0; round < MOST_ROUNDS && known < work->ops.n; round++) {
		known = work->ops.n;
		follow_all_indirect(work, first, false);
		if (work->ops.n == known)
			follow_all_indirect(work, first, true);
	}
}

static void follow_from(struct wp_flow_work *work, uint32_t at)
{
	size_t first = work->indirect.n;

	wp_vec_push(&work->todo, at);
	follow_todo(work);
	follow_tables(work, first);
}

/* Code that nothing leads to, behind padding. */
static void follow_rest(struct wp_flow_work *work)
{
	uint32_t step = (uint32_t)wp_flow_decoder_step(work->decoder);

	for (uint32_t at = 0; at < work->of->n; at += step) {
		struct wp_flow_op op = {.at = at};

		if (work->is_taken[at])
			continue;
		if (!wp_flow_decode(work->decoder, work->of->bytes + at, work->of->n - at,
				    work->of->start + at, &op)) {
			work->data_bytes += step;
			continue;
		}
		if (op.is_padding)
			at += op.size - step;
		else
			follow_from(work, at);
	}
}

/* True where a block begins. */
static bool is_leader(const struct wp_flow_work *work, uint32_t at)
{
	uint32_t way = work->led_by[at];

	if (!at || !way || work->ways.v[way - 1].next)
		return true;
	return work->ways.v[way - 1].kind != WP_EDGE_NEXT ||
	       work->ops.v[work->ways.v[way - 1].from].kind == WP_FLOW_BRANCH;
}

static enum wp_block_end block_end_of(const struct wp_flow_work *work, const struct wp_flow_op *op,
				      bool goes_behind)
{
	switch (op->kind) {
	case WP_FLOW_TO:
		return op->has_target && is_in_function(work, op->target) ? WP_BLOCK_JUMP
									  : WP_BLOCK_LEAVE;
	case WP_FLOW_BRANCH: return WP_BLOCK_BRANCH;
	case WP_FLOW_TABLE: return WP_BLOCK_TABLE;
	case WP_FLOW_RETURN: return WP_BLOCK_RETURN;
	case WP_FLOW_STOP: return WP_BLOCK_STOP;
	case WP_FLOW_POINTER: return WP_BLOCK_LEAVE;
	case WP_FLOW_INDIRECT: return WP_BLOCK_UNKNOWN;
	case WP_FLOW_TO_CALL: /* as a function's last instruction it does not return */
		return goes_behind ? WP_BLOCK_NEXT : WP_BLOCK_STOP;
	default: return goes_behind ? WP_BLOCK_NEXT : WP_BLOCK_CUT;
	}
}

/* The block that begins with the op; its last op is told. */
static struct wp_flow_block make_block(const struct wp_flow_work *work, uint32_t at,
				       struct wp_flow_graph *graph, uint32_t *ret_last)
{
	struct wp_flow_block block = {
		.start = work->of->start + at,
		.first_instruction = (uint32_t)graph->instructions.n,
	};
	const struct wp_flow_op *op;
	bool goes_behind;

	for (;;) {
		*ret_last = work->op_at[at] - 1;
		op = &work->ops.v[*ret_last];
		wp_vec_push(&graph->instructions, work->of->start + at);
		block.instructions++;
		block.size += op->size;
		at += op->size;
		goes_behind = at < work->of->n && work->op_at[at] &&
			      (op->kind == WP_FLOW_ON || op->kind == WP_FLOW_TO_CALL);
		if (!goes_behind || is_leader(work, at))
			break;
	}
	block.end = block_end_of(work, op, goes_behind);
	block.leaves =
		op->kind == WP_FLOW_BRANCH && op->has_target && !is_in_function(work, op->target);
	return block;
}

/* Index of the block that begins at an offset, + 1; 0: none does. */
static uint32_t block_at(const struct wp_flow_graph *graph, const struct wp_flow_work *work,
			 uint32_t at)
{
	const struct wp_flow_block *block = wp_flow_graph_at(graph, work->of->start + at);

	return block && block->start == work->of->start + at
		       ? (uint32_t)(block - graph->blocks.v) + 1
		       : 0;
}

/* Ways by the op that they lead from, in the order they were found. */
static int compare_ways(const void *a, const void *b)
{
	const struct wp_flow_way *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static void add_block_edges(const struct wp_flow_work *work, uint32_t last,
			    struct wp_flow_block *block, struct wp_flow_graph *graph)
{
	struct wp_flow_way key = {.from = last};
	size_t low = 0, high = work->ways.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_ways(&work->ways.v[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	block->first = (uint32_t)graph->edges.n;
	for (; low < work->ways.n && work->ways.v[low].from == last; low++) {
		uint32_t to = block_at(graph, work, work->ways.v[low].to);

		if (to)
			wp_vec_push(&graph->edges,
				    (struct wp_flow_edge){to - 1, work->ways.v[low].kind});
	}
	block->n_to = (uint32_t)graph->edges.n - block->first;
}

static void mark_reached(struct wp_flow_graph *graph)
{
	WP_VEC(uint32_t) todo = {0};

	if (!graph->blocks.n)
		return;
	graph->blocks.v[0].reached = true;
	wp_vec_push(&todo, 0);
	while (todo.n) {
		const struct wp_flow_block *from = &graph->blocks.v[todo.v[--todo.n]];

		for (uint32_t i = 0; i < from->n_to; i++) {
			uint32_t to = graph->edges.v[from->first + i].to;

			if (graph->blocks.v[to].reached)
				continue;
			graph->blocks.v[to].reached = true;
			wp_vec_push(&todo, to);
		}
	}
	wp_vec_deinit(&todo);
}

static void count_jumps(const struct wp_flow_work *work, struct wp_flow_graph *graph)
{
	wp_vec_each (const struct wp_flow_op, op, &work->ops) {
		graph->unfollowed += op->kind == WP_FLOW_INDIRECT;
		graph->pointers += op->kind == WP_FLOW_POINTER;
	}
	graph->tables = work->tables;
	graph->guessed = work->guessed;
	graph->data_bytes = work->data_bytes;
	graph->cut = work->cut;
}

static void make_graph(struct wp_flow_work *work, struct wp_flow_graph *graph)
{
	WP_VEC(uint32_t) lasts = {0};

	for (uint32_t at = 0; at < work->of->n; at++) {
		uint32_t last;

		if (!work->op_at[at] || !is_leader(work, at))
			continue;
		wp_vec_push(&graph->blocks, make_block(work, at, graph, &last));
		wp_vec_push(&lasts, last);
	}
	if (work->ways.n)
		qsort(work->ways.v, work->ways.n, sizeof(*work->ways.v), compare_ways);
	for (size_t i = 0; i < graph->blocks.n; i++)
		add_block_edges(work, lasts.v[i], &graph->blocks.v[i], graph);
	wp_vec_deinit(&lasts);
	mark_reached(graph);
	count_jumps(work, graph);
}

static void free_work(struct wp_flow_work *work)
{
	wp_flow_decoder_close(work->decoder);
	free(work->op_at);
	free(work->led_by);
	free(work->is_taken);
	free(work->sweep);
	wp_vec_deinit(&work->ops);
	wp_vec_deinit(&work->ways);
	wp_vec_deinit(&work->todo);
	wp_vec_deinit(&work->indirect);
	wp_map_deinit(&work->begins);
	wp_vec_deinit(&work->stamps);
	wp_vec_deinit(&work->stack);
}

struct wp_err *wp_code_flow(const struct wp_code_flow_of *of, struct wp_flow_graph *ret)
{
	struct wp_code_flow_of most = *of;
	struct wp_flow_work work = {.of = &most};

	*ret = (struct wp_flow_graph){.blocks = {0}};
	TRY(wp_flow_decoder_open(of->arch, &work.decoder));
	if (most.n > WP_CODE_FLOW_MOST) {
		most.n = WP_CODE_FLOW_MOST;
		work.cut = true;
	}
	work.op_at = wp_calloc(most.n + 1, sizeof(*work.op_at));
	work.led_by = wp_calloc(most.n + 1, sizeof(*work.led_by));
	work.is_taken = wp_calloc(most.n + 1, 1);
	if (most.n)
		follow_from(&work, 0);
	follow_rest(&work);
	make_graph(&work, ret);
	free_work(&work);
	return NULL;
}
