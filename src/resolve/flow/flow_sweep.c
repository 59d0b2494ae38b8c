/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_sweep: where instructions begin when a function is read from its first byte to its last, and
 * which of these a jump may lead to; see flow_work.h. It takes data for code, so that it only
 * judges guesses.
 */
#include "resolve/flow/flow_work.h"

#include "base/mem.h"

static bool ends_way(const struct wp_flow_op *op)
{
	return op->is_padding || (op->kind != WP_FLOW_ON && op->kind != WP_FLOW_TO_CALL &&
				  op->kind != WP_FLOW_BRANCH);
}

static void mark_target(struct wp_flow_work *work, const struct wp_flow_op *op)
{
	uint64_t offset = op->target - work->of->start;

	if (op->has_target && (op->kind == WP_FLOW_TO || op->kind == WP_FLOW_BRANCH) &&
	    op->target >= work->of->start && offset < work->of->n)
		work->sweep[offset] |= WP_SWEEP_LED_TO;
}

static void sweep_code(struct wp_flow_work *work)
{
	uint32_t step = (uint32_t)wp_flow_decoder_step(work->decoder);
	bool ended = true;

	work->sweep = wp_calloc(work->of->n + 1, 1);
	for (size_t at = 0; at < work->of->n;) {
		struct wp_flow_op op = {.at = (uint32_t)at};

		if (!wp_flow_decode(work->decoder, work->of->bytes + at, work->of->n - at,
				    work->of->start + at, &op)) {
			at += step;
			ended = true;
			continue;
		}
		work->sweep[at] |= WP_SWEEP_BEGINS | (ended ? WP_SWEEP_LED_TO : 0);
		mark_target(work, &op);
		ended = ends_way(&op);
		at += op.size;
	}
}

uint8_t wp_flow_sweep_at(struct wp_flow_work *work, uint64_t offset)
{
	if (!work->sweep)
		sweep_code(work);
	return work->sweep[offset];
}
