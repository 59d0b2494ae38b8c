/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_window: see recorder_window.h. */
#include "store/recorder_window.h"

#include "base/hash.h"
#include "base/mem.h"
#include "core/record_keep.h"
#include "format/perf/perfdata_notes.h"
#include "format/perf/perfdata_write.h"
#include "store/recorder.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)256 << 10) /* memory is given back in pieces of about this size */
#define CHUNK_LINES 65536u

/* A record; of a sample, its stack too. What they point at is the block's. */
struct kept {
	struct wp_record record;
	const uint64_t *frames;
	uint32_t n_kernel, n;
	bool python;
	const struct wp_stack_note *note;
};

struct wp_recorder_window_block {
	struct wp_recorder_window_block *next; /* the one after it in time */
	struct wp_arena arena;
	WP_VEC(struct kept) kept;
	size_t first;	      /* what is before it has fallen out */
	uint64_t bytes;	      /* what it takes, about */
	struct wp_map chains; /* hash of a stack -> index of one that has it + 1 */
};

static struct wp_recorder_window_block *block_for(struct wp_recorder_window *window)
{
	struct wp_recorder_window_block *block = window->newest;

	if (block && block->bytes < BLOCK_BYTES)
		return block;
	block = wp_calloc(1, sizeof(*block));
	if (window->newest)
		window->newest->next = block;
	else
		window->oldest = block;
	window->newest = block;
	return block;
}

static void grow_block(struct wp_recorder_window *window, struct wp_recorder_window_block *block,
		       uint64_t bytes)
{
	block->bytes += bytes;
	window->bytes += bytes;
}

static void free_window_block(struct wp_recorder_window_block *block)
{
	wp_vec_deinit(&block->kept);
	wp_map_deinit(&block->chains);
	wp_arena_deinit(&block->arena);
	free(block);
}

static void drop_block(struct wp_recorder_window *window)
{
	struct wp_recorder_window_block *block = window->oldest;

	window->oldest = block->next;
	if (!window->oldest)
		window->newest = NULL;
	window->bytes -= block->bytes;
	free_window_block(block);
}

/* The oldest that is there, or NULL. */
static const struct kept *peek_kept(const struct wp_recorder_window *window)
{
	const struct wp_recorder_window_block *block = window->oldest;

	return block ? &block->kept.v[block->first] : NULL;
}

static void drop_oldest(struct wp_recorder_window *window, bool squeezed)
{
	struct wp_recorder_window_block *block = window->oldest;
	const struct kept *kept = peek_kept(window);

	if (kept->record.kind == WP_RECORD_SAMPLE) {
		window->samples--;
		if (squeezed)
			window->squeezed_ns = kept->record.time_ns;
	} else {
		wp_recorder_living_record(&window->living, &kept->record);
	}
	if (++block->first == block->kept.n)
		drop_block(window);
}

void wp_recorder_window_pass(struct wp_recorder_window *window, uint64_t now_ns)
{
	uint64_t begin_ns = window->span_ns < now_ns ? now_ns - window->span_ns : 0;
	const struct kept *kept;

	while (window->limit_bytes && window->bytes > window->limit_bytes && window->oldest)
		drop_oldest(window, true);
	while (window->span_ns && (kept = peek_kept(window)) && kept->record.time_ns < begin_ns)
		drop_oldest(window, false);
}

static struct kept *push_kept(struct wp_recorder_window *window,
			      struct wp_recorder_window_block *block,
			      const struct wp_record *record)
{
	struct kept kept = {.record = *record};
	size_t room = block->kept.cap;
	uint64_t bytes;

	kept.record.sample.stack = record->kind == WP_RECORD_SAMPLE ? NULL : record->sample.stack;
	bytes = wp_record_keep(&block->arena, &kept.record);
	wp_vec_push(&block->kept, kept);
	bytes += (block->kept.cap - room) * sizeof(kept);
	grow_block(window, block, bytes);
	window->newest_ns =
		record->time_ns > window->newest_ns ? record->time_ns : window->newest_ns;
	return &block->kept.v[block->kept.n - 1];
}

void wp_recorder_window_add(struct wp_recorder_window *window, const struct wp_record *record)
{
	struct wp_recorder_window_block *block;

	if (record->kind == WP_RECORD_CODE || record->kind == WP_RECORD_COUNT)
		return; /* none of a recording's */
	block = block_for(window);
	push_kept(window, block, record);
}

uint64_t wp_recorder_window_python_frame(struct wp_recorder_window *window, uint32_t symbol,
					 uint32_t line)
{
	struct wp_recorder_window_function function = {symbol, line / CHUNK_LINES};
	uint64_t *number = wp_map_put(&window->number_of, (uint64_t)symbol << 32 | function.chunk);

	if (!*number && window->functions.n + 1 < WP_PERFDATA_PYTHON_MAX) {
		wp_vec_push(&window->functions, function);
		*number = window->functions.n;
	}
	if (!*number)
		*number = 1; /* never: there are fewer symbols */
	return wp_perfdata_python_address((uint32_t)*number, line % CHUNK_LINES);
}

static uint64_t hash_frames(const uint64_t *frames, size_t n)
{
	uint64_t hash = n;

	for (size_t i = 0; i < n; i++) {
		hash = wp_hash_spread(hash ^ frames[i]);
		hash ^= hash >> 29;
	}
	return hash;
}

/* Most stacks were there before: one copy of each in a block. */
static const uint64_t *keep_frames(struct wp_recorder_window *window,
				   struct wp_recorder_window_block *block, const uint64_t *frames,
				   size_t n)
{
	size_t bytes = n * sizeof(*frames);
	uint64_t *at = wp_map_put(&block->chains, hash_frames(frames, n));
	const struct kept *same = *at ? &block->kept.v[*at - 1] : NULL;

	if (!n)
		return NULL;
	if (same && same->n == n && memcmp(same->frames, frames, bytes) == 0)
		return same->frames;
	*at = block->kept.n;
	grow_block(window, block, bytes + 2 * sizeof(*at));
	return memcpy(wp_arena_alloc(&block->arena, bytes), frames, bytes);
}

static const struct wp_stack_note *keep_note_of(struct wp_recorder_window *window,
						struct wp_recorder_window_block *block,
						const struct wp_stack_note *note)
{
	struct wp_stack_note *ret = wp_arena_alloc(&block->arena, sizeof(*ret));
	size_t bytes = note->n_frames * sizeof(*note->frames);
	uint64_t *frames = bytes ? wp_arena_alloc(&block->arena, bytes) : NULL;

	*ret = *note;
	if (frames)
		memcpy(frames, note->frames, bytes);
	ret->frames = frames;
	ret->rest = NULL; /* part of the stack's frames */
	grow_block(window, block, sizeof(*ret) + bytes);
	return ret;
}

void wp_recorder_window_add_sample(struct wp_recorder_window *window,
				   const struct wp_record *sample,
				   const struct wp_recorder_stack *stack)
{
	struct wp_recorder_window_block *block = block_for(window);
	struct kept *kept = push_kept(window, block, sample);

	kept->n_kernel = (uint32_t)stack->n_kernel;
	kept->n = (uint32_t)stack->n;
	kept->python = stack->python;
	kept->frames = keep_frames(window, block, stack->frames, stack->n);
	if (stack->note)
		kept->note = keep_note_of(window, block, stack->note);
	window->samples++;
}

/* What is needed to write one sample after the other. */
struct writing {
	const struct wp_recorder_window *window;
	const struct wp_symbol_set *set;
	struct wp_recorder *recorder;
	WP_VEC(uint64_t) chain, frames; /* as the recorder numbers Python functions */
};

static uint64_t renumber(const struct writing *writing, uint64_t frame)
{
	const struct wp_recorder_window_function *function;
	uint32_t number, line;

	if (!wp_perfdata_python_parts(frame, &number, &line))
		return frame;
	function = &writing->window->functions.v[number - 1];
	return wp_recorder_python_frame(writing->recorder, writing->set, function->symbol,
					function->chunk * CHUNK_LINES + line);
}

static void write_sample(struct writing *writing, const struct kept *kept)
{
	struct wp_stack_note note = kept->note ? *kept->note : (struct wp_stack_note){0};
	struct wp_recorder_stack stack = {.n_kernel = kept->n_kernel,
					  .n = kept->n,
					  .python = kept->python,
					  .note = kept->note ? &note : NULL};

	writing->chain.n = writing->frames.n = 0;
	for (size_t i = 0; i < kept->n; i++)
		wp_vec_push(&writing->chain, renumber(writing, kept->frames[i]));
	for (size_t i = 0; i < note.n_frames; i++)
		wp_vec_push(&writing->frames, renumber(writing, note.frames[i]));
	stack.frames = writing->chain.v;
	note.frames = writing->frames.v;
	note.rest = note.n_rest ? writing->chain.v + WP_PERFDATA_CHAIN_MAX : NULL;
	wp_recorder_add_sample(writing->recorder, &kept->record, &stack);
}

void wp_recorder_window_write(const struct wp_recorder_window *window,
			      const struct wp_symbol_set *set, struct wp_recorder *recorder)
{
	struct writing writing = {.window = window, .set = set, .recorder = recorder};

	wp_recorder_living_tell(&window->living, recorder);
	for (const struct wp_recorder_window_block *block = window->oldest; block;
	     block = block->next)
		for (size_t i = block->first; i < block->kept.n; i++) {
			const struct kept *kept = &block->kept.v[i];

			if (kept->record.kind == WP_RECORD_SAMPLE)
				write_sample(&writing, kept);
			else
				wp_recorder_add(recorder, &kept->record);
		}
	wp_vec_deinit(&writing.chain);
	wp_vec_deinit(&writing.frames);
}

uint64_t wp_recorder_window_oldest_ns(const struct wp_recorder_window *window)
{
	for (const struct wp_recorder_window_block *block = window->oldest; block;
	     block = block->next)
		for (size_t i = block->first; i < block->kept.n; i++)
			if (block->kept.v[i].record.kind == WP_RECORD_SAMPLE)
				return block->kept.v[i].record.time_ns;
	return 0;
}

void wp_recorder_window_deinit(struct wp_recorder_window *window)
{
	while (window->oldest)
		drop_block(window);
	wp_recorder_living_deinit(&window->living);
	wp_map_deinit(&window->number_of);
	wp_vec_deinit(&window->functions);
}
