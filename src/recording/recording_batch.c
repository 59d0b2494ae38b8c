/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_batch: see recording_batch.h. */
#include "recording/recording_batch.h"

#include "base/invariant.h"

#include <string.h>

static const uint64_t *keep_chain(struct wp_recording_batch *batch, const uint64_t *ips, size_t n)
{
	return n ? memcpy(wp_arena_alloc(&batch->chains, n * sizeof(*ips)), ips, n * sizeof(*ips))
		 : NULL;
}

/* The head's stack is the next record's. */
static const struct wp_stack_raw *keep_batch_stack(struct wp_recording_batch *batch,
						   const struct wp_perf_stack *stack,
						   const struct wp_stack_note *note)
{
	struct wp_stack_raw *raw = &batch->raws[batch->n];

	*raw = stack->raw;
	raw->note = note;
	if (raw->regs) {
		batch->regs[batch->n] = *raw->regs;
		raw->regs = &batch->regs[batch->n];
	}
	if (stack->chain_moved) {
		raw->kernel_ips = keep_chain(batch, raw->kernel_ips, raw->n_kernel);
		raw->user_ips = keep_chain(batch, raw->user_ips, raw->n_user);
	}
	return raw;
}

/* A note's body begins behind the header. */
static bool read_name_record(const struct wp_recording_entry *entry, struct wp_record *ret)
{
	struct wp_perfdata_note note = wp_perfdata_note_read(
		wp_bytes_of(entry->bytes + 8, wp_recording_batch_size_of(entry) - 8));

	*ret = (struct wp_record){
		.kind = WP_RECORD_NAME,
		.pid = note.name.pid,
		.tid = note.name.tid,
		.cpu = WP_ANY_CPU,
		.time_ns = note.name.time_ns,
		.named.name = note.name.name,
	};
	return note.kind == WP_PERFDATA_NOTE_NAME;
}

/* What a processor traced. */
static bool read_traced(struct wp_recording_batch *batch, const struct wp_recording_spe *spe,
			const struct wp_recording_entry *entry, struct wp_record *ret)
{
	struct wp_sample_data data;
	size_t kept = 0;

	wp_recording_spe_sample(spe, entry->bytes, ret, &data);
	ret->time_ns = entry->time_ns;
	if (ret->sample.data)
		ret->sample.data = wp_sample_data_keep(&batch->chains, &data, &kept);
	return true;
}

static bool read_batch_entry(struct wp_recording_batch *batch, struct wp_recording_head *head,
			     const struct wp_recording_spe *spe,
			     const struct wp_recording_entry *entry, bool stacks)
{
	struct wp_record *record = &batch->records[batch->n];
	size_t kept = 0;
	const struct wp_perf_layout *layout;

	if (wp_u32_at(entry->bytes) == WP_PERFDATA_NOTE_TYPE)
		return read_name_record(entry, record);
	if (wp_u32_at(entry->bytes) == WP_PERFDATA_AUXTRACE)
		return read_traced(batch, spe, entry, record);
	layout = wp_recording_head_layout(head, entry->bytes);
	if (!stacks && !entry->note)
		layout = wp_recording_head_bare(head, layout);
	if (wp_perf_record_parse(layout, entry->bytes, wp_recording_batch_size_of(entry), record) !=
	    WP_PERF_PARSED)
		return false;
	/* With a fixed period (perf record -c) samples do not repeat it. */
	if (record->kind == WP_RECORD_SAMPLE && !(layout->sample_type & WP_PERF_SAMPLE_PERIOD))
		record->sample.period = head->attrs.v[record->sample.event].period;
	record->time_ns = entry->time_ns;
	if (record->kind == WP_RECORD_MAP)
		wp_recording_head_identify(head, &record->map);
	else if (record->kind == WP_RECORD_SAMPLE && record->sample.stack)
		record->sample.stack = keep_batch_stack(batch, head->stack, entry->note);
	if (record->kind == WP_RECORD_SAMPLE && record->sample.data)
		record->sample.data =
			wp_sample_data_keep(&batch->chains, record->sample.data, &kept);
	return true;
}

bool wp_recording_batch_full(const struct wp_recording_batch *batch)
{
	return batch->n_blocks == WP_RECORDING_BATCH || batch->bytes >= WP_RECORDING_BATCH_BYTES;
}

bool wp_recording_batch_add(struct wp_recording_batch *batch, struct wp_recording_head *head,
			    const struct wp_recording_spe *spe,
			    const struct wp_recording_entry *entry, bool stacks)
{
	bool whole;

	wp_assert(!wp_recording_batch_full(batch));
	whole = read_batch_entry(batch, head, spe, entry, stacks);
	batch->blocks[batch->n_blocks++] = entry->block;
	batch->bytes += wp_recording_batch_size_of(entry);
	batch->n += whole;
	return whole;
}

void wp_recording_batch_clear(struct wp_recording_batch *batch, struct wp_recording_queue *queue)
{
	for (size_t i = 0; i < batch->n_blocks; i++)
		wp_recording_queue_give_back(queue, batch->blocks[i]);
	wp_arena_deinit(&batch->chains);
	batch->n = batch->n_blocks = batch->bytes = batch->told.n = 0;
}

void wp_recording_batch_deinit(struct wp_recording_batch *batch)
{
	wp_arena_deinit(&batch->chains);
	wp_vec_deinit(&batch->told);
}
