/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_queue: see recording_queue.h. Bytes lie in blocks; one whose last record was given out
 * is filled again, so that a queue of a steady length stays in the same memory.
 */
#include "recording/recording_queue.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)256 << 10)
#define ALIGNMENT   8

struct wp_recording_block {
	struct wp_recording_block *next; /* of those unused */
	size_t used, size;
	size_t waiting; /* entries that were not given back */
	_Alignas(ALIGNMENT) uint8_t bytes[];
};

static struct wp_recording_block *new_queue_block(size_t size)
{
	struct wp_recording_block *block = wp_realloc(NULL, 1, sizeof(*block) + size);

	*block = (struct wp_recording_block){.size = size};
	return block;
}

/* Large ones, for what fits in no other, are not kept. */
static void reuse(struct wp_recording_queue *queue, struct wp_recording_block *block)
{
	if (block->size > BLOCK_BYTES) {
		free(block);
		return;
	}
	block->used = 0;
	block->next = queue->unused;
	queue->unused = block;
}

static struct wp_recording_block *next_block(struct wp_recording_queue *queue, size_t bytes)
{
	struct wp_recording_block *block = queue->unused;

	if (bytes > BLOCK_BYTES || !block)
		return new_queue_block(bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
	queue->unused = block->next;
	return block;
}

static size_t aligned(size_t bytes)
{
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* All of one entry is in one block. */
static void make_room(struct wp_recording_queue *queue, size_t bytes)
{
	struct wp_recording_block *full = queue->block;

	if (full && full->size - full->used >= bytes)
		return;
	queue->block = next_block(queue, bytes);
	if (full && !full->waiting)
		reuse(queue, full);
}

static void *put_block_bytes(struct wp_recording_block *block, const void *from, size_t bytes)
{
	void *to = block->bytes + block->used;

	if (bytes)
		memcpy(to, from, bytes);
	block->used += aligned(bytes);
	return to;
}

static size_t note_bytes(const struct wp_stack_note *note)
{
	return note ? aligned(sizeof(*note)) +
			       (note->n_frames + note->n_rest) * sizeof(*note->frames)
		    : 0;
}

static const struct wp_stack_note *put_block_note(struct wp_recording_block *block,
						  const struct wp_stack_note *note)
{
	struct wp_stack_note *own = put_block_bytes(block, note, sizeof(*note));

	if (note->n_frames)
		own->frames = put_block_bytes(block, note->frames,
					      note->n_frames * sizeof(*note->frames));
	if (note->n_rest)
		own->rest = put_block_bytes(block, note->rest, note->n_rest * sizeof(*note->rest));
	return own;
}

void wp_recording_queue_add(struct wp_recording_queue *queue, uint64_t time_ns,
			    const uint8_t *bytes, size_t size, const struct wp_stack_note *note)
{
	struct wp_recording_entry entry = {.time_ns = time_ns};

	make_room(queue, aligned(size) + note_bytes(note));
	entry.block = queue->block;
	entry.bytes = put_block_bytes(entry.block, bytes, size);
	if (note)
		entry.note = put_block_note(entry.block, note);
	entry.block->waiting++;
	wp_vec_push(&queue->entries, entry);
}

void wp_recording_queue_give_back(struct wp_recording_queue *queue,
				  struct wp_recording_block *block)
{
	if (--block->waiting == 0 && block != queue->block)
		reuse(queue, block);
}

static void find_runs(struct wp_recording_queue *queue)
{
	const struct wp_recording_entry *v = queue->entries.v;

	queue->runs.n = 0;
	for (size_t i = 0; i < queue->entries.n; i++)
		if (!i || v[i].time_ns < v[i - 1].time_ns)
			wp_vec_push(&queue->runs, i);
}

/* [from, middle) and [middle, to) become one run; of equal times the left one comes first. */
static void merge_runs(const struct wp_recording_entry *v, size_t from, size_t middle, size_t to,
		       struct wp_recording_entry *ret)
{
	size_t left = from, right = middle;

	for (size_t i = from; i < to; i++) {
		bool take_left =
			right == to || (left < middle && v[left].time_ns <= v[right].time_ns);

		ret[i] = take_left ? v[left++] : v[right++];
	}
}

static size_t queue_run_end(const struct wp_recording_queue *queue, size_t run)
{
	return run < queue->runs.n ? queue->runs.v[run] : queue->entries.n;
}

/* Each run with the one behind it; half of them remain. */
static void merge_pairs(struct wp_recording_queue *queue)
{
	struct wp_recording_entries merged = queue->scratch;
	size_t n = 0;

	if (merged.cap < queue->entries.cap) {
		merged.cap = queue->entries.cap;
		merged.v = wp_realloc(merged.v, merged.cap, sizeof(*merged.v));
	}
	for (size_t run = 0; run < queue->runs.n; run += 2) {
		size_t from = queue->runs.v[run];

		merge_runs(queue->entries.v, from, queue_run_end(queue, run + 1),
			   queue_run_end(queue, run + 2), merged.v);
		queue->runs.v[n++] = from;
	}
	queue->runs.n = n;
	merged.n = queue->entries.n;
	queue->scratch = queue->entries;
	queue->entries = merged;
}

static size_t count_due(struct wp_recording_queue *queue, uint64_t horizon_ns)
{
	const struct wp_recording_entry *v = queue->entries.v;
	size_t n = 0;

	for (; n < queue->entries.n && v[n].time_ns <= horizon_ns; n++)
		queue->late += v[n].time_ns < queue->last_ns;
	if (n)
		queue->last_ns = v[n - 1].time_ns;
	return n;
}

void wp_recording_queue_release(struct wp_recording_queue *queue, uint64_t horizon_ns)
{
	queue->entries.n -= queue->at;
	if (queue->at && queue->entries.n)
		memmove(queue->entries.v, queue->entries.v + queue->at,
			queue->entries.n * sizeof(*queue->entries.v));
	queue->at = 0;
	find_runs(queue);
	while (queue->runs.n > 1)
		merge_pairs(queue);
	queue->ready = count_due(queue, horizon_ns);
}

const struct wp_recording_entry *wp_recording_queue_take(struct wp_recording_queue *queue)
{
	return queue->at < queue->ready ? &queue->entries.v[queue->at++] : NULL;
}

void wp_recording_queue_deinit(struct wp_recording_queue *queue)
{
	struct wp_recording_block *next;

	while (queue->at < queue->entries.n)
		wp_recording_queue_give_back(queue, queue->entries.v[queue->at++].block);
	for (struct wp_recording_block *block = queue->unused; block; block = next) {
		next = block->next;
		free(block);
	}
	free(queue->block);
	wp_vec_deinit(&queue->entries);
	wp_vec_deinit(&queue->scratch);
	wp_vec_deinit(&queue->runs);
	*queue = (struct wp_recording_queue){0};
}
