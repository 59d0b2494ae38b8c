/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_live: see sample_live.h. */
#include "session/live/sample_live.h"

#include "resolve/resolver_stack.h"

#include <stdlib.h>
#include <string.h>

void wp_sample_live_deinit(struct wp_sample_live *live)
{
	wp_vec_deinit(&live->slots);
	wp_vec_deinit(&live->python);
	wp_woven_deinit(&live->woven);
	wp_vec_deinit(&live->native);
	wp_vec_deinit(&live->frames);
}

static const struct wp_stack_raw *raw_of(const struct wp_record *record)
{
	static const struct wp_stack_raw none;

	return record->sample.stack ? record->sample.stack : &none;
}

static void resolve_slots(struct wp_sample_live *live, const struct wp_record *record)
{
	const struct wp_stack_raw *raw = raw_of(record);
	bool whole = false;
	uint32_t plan = 0;

	live->slots.n = 0;
	for (size_t i = 0; i < raw->n_python; i++) {
		const struct wp_python_slot *slot = &raw->python[i];
		struct wp_python_frame frame = {.symbol = WP_PYTHON_UNRESOLVED};

		if (slot->lasti == WP_PYTHON_THREAD) {
			plan = WP_PYTHON_THREAD_PLAN(slot->id);
			whole = WP_PYTHON_THREAD_END(slot->id) == WP_PYTHON_COMPLETE;
		} else if (slot->lasti != WP_PYTHON_MARK) {
			frame = wp_python_feed_frame(live->of.python, record->pid, plan, slot);
			if (frame.symbol == WP_PYTHON_UNRESOLVED)
				frame.symbol = wp_resolver_python_unknown(live->of.resolver);
			else if (whole && frame.symbol != WP_PYTHON_HIDDEN)
				wp_python_feed_see(live->of.python, record, plan, slot,
						   frame.symbol);
		}
		wp_vec_push(&live->slots, frame);
	}
}

/* A chain that is none says less than any other one. */
static int badness(enum wp_python_end end)
{
	switch (end) {
	case WP_PYTHON_NO_THREAD: return -2;
	case WP_PYTHON_NO_FRAME: return -1;
	default: return (int)end;
	}
}

/*
 * In a process with two libpythons the thread may be one of either's only; of those of its thread
 * states that are in other interpreters, some run nothing.
 */
static enum wp_python_end worst_end(const struct wp_stack_raw *raw, uint32_t *ret_id)
{
	enum wp_python_end worst = WP_PYTHON_NO_THREAD;

	for (size_t i = 0; i < raw->n_python; i++) {
		enum wp_python_end end =
			(enum wp_python_end)WP_PYTHON_THREAD_END(raw->python[i].id);

		if (raw->python[i].lasti != WP_PYTHON_THREAD || end == WP_PYTHON_NO_THREAD)
			continue;
		if (badness(end) > badness(worst))
			worst = end;
		*ret_id |= raw->python[i].id & ~0xffffu;
	}
	return worst;
}

static bool is_python_slot_shown(const struct wp_sample_live *live, const struct wp_stack_raw *raw,
				 size_t i)
{
	return raw->python[i].lasti != WP_PYTHON_THREAD && raw->python[i].lasti != WP_PYTHON_MARK &&
	       live->slots.v[i].symbol != WP_PYTHON_HIDDEN;
}

static void list_live_python(struct wp_sample_live *live, const struct wp_stack_raw *raw)
{
	live->python.n = 0;
	for (size_t i = 0; i < live->slots.n; i++)
		if (is_python_slot_shown(live, raw, i))
			wp_vec_push(&live->python, (struct wp_spot_frame){live->slots.v[i].symbol,
									  live->slots.v[i].line});
}

/* Where the innermost frame is. */
static struct wp_stack_instruction find_instruction(struct wp_sample_live *live,
						    const struct wp_record *record)
{
	const struct wp_stack_raw *raw = raw_of(record);
	uint32_t plan = 0;

	for (size_t i = 0; i < live->slots.n; i++) {
		if (raw->python[i].lasti == WP_PYTHON_THREAD)
			plan = WP_PYTHON_THREAD_PLAN(raw->python[i].id);
		if (is_python_slot_shown(live, raw, i))
			return wp_python_feed_instruction(live->of.python, record, plan,
							  &raw->python[i]);
	}
	return (struct wp_stack_instruction){0};
}

static void make_live_python(struct wp_sample_live *live, const struct wp_record *record,
			     struct wp_sample *ret)
{
	const struct wp_stack_raw *raw = raw_of(record);
	enum wp_python_end end;

	if (live->of.python->mode.way == WP_PYTHON_OFF)
		return;
	wp_python_feed_sample(live->of.python, record);
	resolve_slots(live, record);
	end = worst_end(raw, &ret->thread);
	ret->thread |= (uint32_t)WP_PYTHON_THREAD_ID(0, end);
	ret->word =
		raw->n_python ? WP_PYTHON_WALKED : wp_python_feed_silence(live->of.python, record);
	list_live_python(live, raw);
	ret->python = live->python.v;
	ret->n_python = live->python.n;
	ret->instruction = find_instruction(live, record);
}

/* The unwound frames with their names. */
static void make_native(struct wp_sample_live *live, const struct wp_record *record,
			const struct wp_stack *stack)
{
	live->native.n = 0;
	for (size_t i = 0; i < stack->n_kernel + stack->n_user; i++) {
		bool kernel = i < stack->n_kernel;
		struct wp_frame frame = {
			.kind = kernel ? WP_FRAME_KERNEL : WP_FRAME_NATIVE,
			.is_caller = i > 0 && i != stack->n_kernel,
			.ip = stack->frames[i].ip,
		};

		frame.symbol = wp_sampling_symbol(live->of.resolver, record, frame.ip,
						  frame.is_caller, kernel, &frame.rva);
		wp_vec_push(&live->native, frame);
	}
}

static struct wp_frame frame_from_woven(const struct wp_sample_live *live,
					const struct wp_woven_frame *woven)
{
	if (woven->kind == WP_WOVEN_NATIVE)
		return live->native.v[woven->index];
	return (struct wp_frame){
		.kind = WP_FRAME_PYTHON,
		.symbol = live->slots.v[woven->index].symbol,
		.slot = woven->index,
		.line = live->slots.v[woven->index].line,
	};
}

/* Frames that no traceback shows have had their part in the weaving: they have marks. */
static void list_woven_frames(struct wp_sample_live *live)
{
	live->frames.n = 0;
	for (size_t i = 0; i < live->woven.n; i++) {
		struct wp_frame frame = frame_from_woven(live, &live->woven.frames[i]);
		size_t n = live->frames.n;

		if (frame.kind == WP_FRAME_PYTHON && frame.symbol == WP_PYTHON_HIDDEN)
			continue;
		frame.is_trampoline = !live->of.interpreter_frames &&
				      wp_sampling_is_trampoline(live->of.resolver, &frame,
								n ? &live->frames.v[n - 1] : NULL);
		wp_vec_push(&live->frames, frame);
	}
}

static void make_live_stack(struct wp_sample_live *live, const struct wp_record *record,
			    struct wp_sampling_stack *unwound, struct wp_sample *ret)
{
	struct wp_python_evals evals = wp_python_feed_evals(live->of.python, record->pid);
	const struct wp_stack_raw *raw = raw_of(record);
	struct wp_stack *stack = &unwound->frames;

	if (!unwound->made)
		wp_resolver_stack(live->of.resolver, record, stack);
	unwound->made = false;
	wp_walk_feed_sample(live->of.walk, record, stack);
	make_native(live, record, stack);
	wp_python_weave(stack, raw->python, raw->n_python, &evals, live->of.interpreter_frames,
			&live->woven);
	list_woven_frames(live);
	ret->has_stack = true;
	ret->frames = live->frames.v;
	ret->n = live->frames.n;
	ret->n_kernel = stack->n_kernel;
	ret->end = stack->end;
	ret->unbound = live->woven.unbound;
	ret->missing = live->woven.missing;
}

void wp_sample_live_make(struct wp_sample_live *live, const struct wp_record *record,
			 struct wp_sampling_stack *stack, struct wp_sample *ret)
{
	make_live_python(live, record, ret);
	if (stack)
		make_live_stack(live, record, stack, ret);
}
