/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_reader: see recording_reader.h. */
#include "recording/recording_reader.h"

#include <string.h>

/*
 * A round that is longer than any that perf record writes (a pass over the rings of all CPUs)
 * counts as finished, so that a file without marks does not end up in memory.
 */
#define ROUND_BYTES ((uint64_t)128 << 20)

/* The most that any event's samples have in front of their stack; 0: one cannot be cut short. */
static size_t find_head_bytes(const struct wp_recording_head *head)
{
	size_t most = 0;

	wp_vec_each (struct wp_perf_layout, layout, &head->layouts) {
		size_t bytes = wp_perf_record_head_bytes(layout);

		if (!bytes)
			return 0;
		most = bytes > most ? bytes : most;
	}
	return most;
}

void wp_recording_reader_start(struct wp_recording_reader *r, bool no_stacks)
{
	wp_recording_queue_deinit(&r->queue);
	wp_recording_file_rewind(&r->file);
	wp_recording_notes_deinit(&r->notes);
	r->no_stacks = no_stacks;
	wp_recording_head_want_data(&r->head, r->wants_data);
	r->head_bytes = no_stacks ? find_head_bytes(&r->head) : 0;
	r->at = r->head.data.offset;
	r->end = r->at + r->head.data.size;
	r->round_bytes = r->horizon_ns = r->youngest_ns = r->malformed = r->aux_bytes = 0;
	r->at_end = false;
}

/* Without what follows its head: the size is the last field of its header of 8 bytes. */
static void add_head(struct wp_recording_reader *r, uint64_t time_ns, const uint8_t *bytes)
{
	uint8_t head[WP_PERF_RECORD_HEAD_MAX];
	uint16_t size = (uint16_t)r->head_bytes;

	memcpy(head, bytes, size);
	memcpy(head + 6, &size, sizeof(size));
	wp_recording_queue_add(&r->queue, time_ns, head, size, NULL);
}

static void add_sample(struct wp_recording_reader *r, uint64_t time_ns, const uint8_t *bytes,
		       size_t size)
{
	const struct wp_stack_note *note = wp_recording_notes_of_sample(&r->notes);

	if (r->head_bytes && r->head_bytes < size && !note)
		add_head(r, time_ns, bytes);
	else
		wp_recording_queue_add(&r->queue, time_ns, bytes, size, note);
	wp_recording_notes_forget(&r->notes);
}

/*
 * perf gives records it made itself no time, or the largest: they came before all others. What
 * stands before a sample is its own, whatever its time.
 */
static void take_record(struct wp_recording_reader *r, const struct wp_perfdata_record *head,
			const uint8_t *bytes)
{
	const struct wp_perf_layout *layout = wp_recording_head_layout(&r->head, bytes);
	uint64_t time_ns;

	switch (wp_perf_record_time(layout, bytes, head->size, &time_ns)) {
	case WP_PERF_PARSED: break;
	case WP_PERF_MALFORMED: r->malformed++; return;
	default: return;
	}
	if (time_ns == UINT64_MAX)
		time_ns = 0;
	if (time_ns > r->youngest_ns)
		r->youngest_ns = time_ns;
	if (head->type == WP_PERF_RECORD_SAMPLE)
		add_sample(r, time_ns, bytes, head->size);
	else
		wp_recording_queue_add(&r->queue, time_ns, bytes, head->size, NULL);
	r->round_bytes += head->size;
}

/*
 * perf record reads all rings once per round: what a ring held then is not older than what was read
 * in the round before. So one more round has to end before a round's records are in order.
 */
static void finish_round(struct wp_recording_reader *r)
{
	wp_recording_queue_release(&r->queue, r->horizon_ns);
	r->horizon_ns = r->youngest_ns;
	r->round_bytes = 0;
}

static void add_timed(void *arg, uint64_t time_ns, const uint8_t *bytes, size_t size)
{
	struct wp_recording_reader *r = arg;

	wp_recording_queue_add(&r->queue, time_ns, bytes, size, NULL);
}

static void pass_over(struct wp_recording_reader *r, const struct wp_perfdata_record *head)
{
	uint64_t missing = r->at > r->end ? r->at - r->end : 0;

	if (head->type == WP_PERFDATA_AUXTRACE && missing <= head->trailing)
		r->aux_bytes += head->trailing - missing;
}

/* Reads to the end of a round, or of the file. */
static struct wp_err *read_round(struct wp_recording_reader *r)
{
	struct wp_perfdata_record head;
	const uint8_t *bytes;

	for (;;) {
		r->file.sample_bytes = wp_recording_notes_has(&r->notes) ? 0 : r->head_bytes;
		TRY(wp_recording_file_record(&r->file, &r->at, r->end, &head, &bytes));
		if (!bytes) {
			wp_recording_queue_release(&r->queue, UINT64_MAX);
			r->at_end = true;
			return NULL;
		}
		if (head.type == WP_PERFDATA_NOTE_TYPE)
			wp_recording_notes_take(&r->notes, wp_perfdata_body(bytes, &head),
						add_timed, r);
		else if (head.type < WP_PERFDATA_USER_TYPES)
			take_record(r, &head, bytes);
		else
			pass_over(r, &head);
		if (head.type == WP_PERFDATA_FINISHED_ROUND || r->round_bytes >= ROUND_BYTES) {
			finish_round(r);
			return NULL;
		}
	}
}

/* Functions were told before the samples that have them, in the file: so they are in the batch. */
static void hand_over_told(struct wp_recording_reader *r, struct wp_recording_batch *batch)
{
	struct wp_recording_functions told = batch->told;

	batch->told = r->notes.told;
	told.n = 0;
	r->notes.told = told;
}

struct wp_err *wp_recording_reader_fill(struct wp_recording_reader *r,
					struct wp_recording_batch *batch)
{
	const struct wp_recording_entry *entry;

	while (!wp_recording_batch_full(batch)) {
		entry = wp_recording_queue_take(&r->queue);
		if (entry)
			r->malformed +=
				!wp_recording_batch_add(batch, &r->head, entry, !r->no_stacks);
		else if (r->at_end)
			break;
		else
			TRY(read_round(r));
	}
	hand_over_told(r, batch);
	return NULL;
}

void wp_recording_reader_deinit(struct wp_recording_reader *r)
{
	wp_recording_queue_deinit(&r->queue);
	wp_recording_notes_deinit(&r->notes);
	wp_recording_head_deinit(&r->head);
	wp_recording_file_deinit(&r->file);
}
