/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_reader: see recording_reader.h. */
#include "recording/recording_reader.h"

#include <string.h>

/* From here on times are no times (tools/perf/util/bpf_off_cpu.c, Linux 5.19): 584 years. */
#define SUMS_NS (~UINT64_C(0) << 32)

/*
 * A round that is longer than any that perf record writes (a pass over the rings of all CPUs)
 * counts as finished, so that a file without marks does not end up in memory.
 */
#define ROUND_BYTES ((uint64_t)128 << 20)

/* Of a file of a folder, at once: what each of them keeps waiting. */
#define PIECE_BYTES ((uint64_t)64 << 10)

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
	r->parts_bytes = r->cut_parts = r->due_ns = r->released_ns = 0;
	wp_recording_spe_rewind(&r->spe);
	r->spe.wants_data = r->wants_data;
	r->at_end = r->main_ended = false;
	wp_recording_folder_rewind(&r->folder);
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
 * perf gives records it made itself no time, or the largest: they came before all others. Its sums
 * of waits (--off-cpu) have numbers that only keep them behind all others, where they stand in the
 * file, too: they get the time of the last record. What stands before a sample is its own, whatever
 * its time.
 */
static void take_file_record(struct wp_recording_reader *r, const struct wp_perfdata_record *head,
			     const uint8_t *bytes)
{
	const struct wp_perf_layout *layout = wp_recording_head_layout(&r->head, bytes);
	uint64_t time_ns;

	switch (wp_perf_record_time(layout, bytes, head->size, &time_ns)) {
	case WP_PERF_PARSED: break;
	case WP_PERF_MALFORMED: r->malformed++; return;
	default:
		if (wp_recording_spe_wants(&r->spe, layout, bytes, head->size, &time_ns))
			break;
		return;
	}
	if (time_ns == UINT64_MAX)
		time_ns = 0;
	else if (time_ns >= SUMS_NS)
		time_ns = r->youngest_ns;
	if (time_ns > r->youngest_ns)
		r->youngest_ns = time_ns;
	if (head->type == WP_PERF_RECORD_SAMPLE)
		add_sample(r, time_ns, bytes, head->size);
	else
		wp_recording_queue_add(&r->queue, time_ns, bytes, head->size, NULL);
	r->round_bytes += head->size;
}

/* What was traced up to then comes among the records, some of it at a time. */
static struct wp_err *release_more(struct wp_recording_reader *r)
{
	uint64_t to = r->due_ns;

	if (r->spe.active)
		TRY(wp_recording_spe_read(&r->spe, &r->file, r->due_ns, &r->queue, &to));
	r->released_ns = to;
	wp_recording_queue_release(&r->queue, to);
	return NULL;
}

static struct wp_err *release(struct wp_recording_reader *r, uint64_t horizon_ns)
{
	r->due_ns = horizon_ns;
	return release_more(r);
}

/*
 * perf record reads all rings once per round: what a ring held then is not older than what was read
 * in the round before. So one more round has to end before a round's records are in order.
 */
static struct wp_err *finish_round(struct wp_recording_reader *r)
{
	TRY(release(r, r->horizon_ns));
	r->horizon_ns = r->youngest_ns;
	r->round_bytes = 0;
	return NULL;
}

static void add_timed(void *arg, uint64_t time_ns, const uint8_t *bytes, size_t size)
{
	struct wp_recording_reader *r = arg;

	wp_recording_queue_add(&r->queue, time_ns, bytes, size, NULL);
}

/* `at` is behind the record and what belongs to it; of a file that was cut that is behind its end.
 */
static void pass_over(struct wp_recording_reader *r, const struct wp_perfdata_record *head,
		      uint64_t at, uint64_t end)
{
	uint64_t missing = at > end ? at - end : 0;

	if (head->type == WP_PERFDATA_AUXTRACE && missing <= head->trailing && !r->spe.active)
		r->aux_bytes += head->trailing - missing;
}

/* Of a folder the main file comes first, as a whole: what it has of mappings has no time. */
static struct wp_err *end_main(struct wp_recording_reader *r)
{
	r->main_ended = true;
	r->at_end = !r->folder.parts.n;
	return r->at_end ? release(r, UINT64_MAX) : NULL;
}

/* Rounds are marked where one file has the records of all rings. */
static bool ends_round(const struct wp_recording_reader *r, const struct wp_perfdata_record *head)
{
	bool marked = head->type == WP_PERFDATA_FINISHED_ROUND && !r->folder.parts.n;

	return marked || r->round_bytes >= ROUND_BYTES;
}

/* Reads to the end of a round, or of the file. */
static struct wp_err *read_round(struct wp_recording_reader *r)
{
	struct wp_perfdata_record head;
	const uint8_t *bytes;

	for (;;) {
		r->file.sample_bytes = wp_recording_notes_has(&r->notes) ? 0 : r->head_bytes;
		TRY(wp_recording_file_record(&r->file, &r->at, r->end, &head, &bytes));
		if (!bytes)
			return end_main(r);
		if (head.type == WP_PERFDATA_NOTE_TYPE)
			wp_recording_notes_take(&r->notes, wp_perfdata_body(bytes, &head),
						add_timed, r);
		else if (head.type < WP_PERFDATA_USER_TYPES)
			take_file_record(r, &head, bytes);
		else
			pass_over(r, &head, r->at, r->end);
		if (ends_round(r, &head))
			return finish_round(r);
	}
}

/* A piece of one file of a folder. */
static struct wp_err *read_file_piece(struct wp_recording_reader *r, struct wp_recording_part *part)
{
	uint64_t end = part->at + PIECE_BYTES;
	struct wp_perfdata_record head;
	uint64_t before, taken = 0;
	const uint8_t *bytes;

	part->file.sample_bytes = r->head_bytes;
	r->youngest_ns = part->youngest_ns;
	while (part->at < end && taken < PIECE_BYTES) {
		before = part->at;
		TRY(wp_recording_file_record(&part->file, &part->at, part->file.size, &head,
					     &bytes));
		r->parts_bytes += part->at - before;
		part->at_end = !bytes;
		if (!bytes) {
			r->cut_parts += part->at < part->file.size;
			break;
		}
		taken += head.size;
		if (head.type < WP_PERFDATA_USER_TYPES)
			take_file_record(r, &head, bytes);
		else
			pass_over(r, &head, part->at, part->file.size);
	}
	part->youngest_ns = r->youngest_ns;
	return NULL;
}

/* As many pieces as there are files, so that what waits is put in order only so often. */
static struct wp_err *read_folder_pieces(struct wp_recording_reader *r)
{
	struct wp_recording_part *part = NULL;

	for (size_t i = 0; i < r->folder.parts.n; i++) {
		part = wp_recording_folder_next(&r->folder);
		if (part)
			TRY(wp_err_prefix(read_file_piece(r, part), "data.*"));
	}
	r->at_end = !part;
	r->round_bytes = 0;
	return release(r, wp_recording_folder_horizon_ns(&r->folder));
}

/* Functions were told before the samples that have them, in the file: so they are in the batch. */
static void hand_over_told(struct wp_recording_reader *r, struct wp_recording_batch *batch)
{
	struct wp_recording_functions told = batch->told;

	batch->told = r->notes.told;
	told.n = 0;
	r->notes.told = told;
}

/* Its time has come. */
static void take_read_entry(struct wp_recording_reader *r, struct wp_recording_batch *batch,
			    const struct wp_recording_entry *entry)
{
	const struct wp_perf_layout *layout;
	size_t before = batch->n, size = wp_recording_batch_size_of(entry);
	uint64_t time_ns;

	if (r->spe.active && wp_u32_at(entry->bytes) < WP_PERFDATA_USER_TYPES) {
		layout = wp_recording_head_layout(&r->head, entry->bytes);
		if (wp_recording_spe_wants(&r->spe, layout, entry->bytes, size, &time_ns)) {
			wp_recording_spe_take(&r->spe, layout, entry->bytes, size);
			wp_recording_queue_give_back(&r->queue, entry->block);
			return;
		}
	}
	r->malformed += !wp_recording_batch_add(batch, &r->head, &r->spe, entry, !r->no_stacks);
	if (r->spe.active && batch->n > before)
		wp_recording_spe_learn(&r->spe, &batch->records[before]);
}

struct wp_err *wp_recording_reader_fill(struct wp_recording_reader *r,
					struct wp_recording_batch *batch)
{
	const struct wp_recording_entry *entry;

	while (!wp_recording_batch_full(batch)) {
		entry = wp_recording_queue_take(&r->queue);
		if (entry)
			take_read_entry(r, batch, entry);
		else if (r->released_ns < r->due_ns)
			TRY(release_more(r));
		else if (r->at_end)
			break;
		else
			TRY(r->main_ended ? read_folder_pieces(r) : read_round(r));
	}
	hand_over_told(r, batch);
	return NULL;
}

void wp_recording_reader_deinit(struct wp_recording_reader *r)
{
	wp_recording_queue_deinit(&r->queue);
	wp_recording_notes_deinit(&r->notes);
	wp_recording_head_deinit(&r->head);
	wp_recording_spe_deinit(&r->spe);
	wp_recording_file_deinit(&r->file);
	wp_recording_folder_deinit(&r->folder);
}
