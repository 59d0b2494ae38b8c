/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_batch: what waited in a recording's queue, as records.
 *
 * Source stage, behind recording_queue. In: bytes in order of time. Out: a batch of records that
 * point into these bytes and keep them. It has room for as many as make handing it to another
 * thread cheap, and stays in the caches.
 */
#ifndef WP_RECORDING_BATCH_H
#define WP_RECORDING_BATCH_H

#include "base/arena.h"
#include "recording/recording_head.h"
#include "recording/recording_notes.h"
#include "recording/recording_queue.h"
#include "recording/recording_spe.h"

#define WP_RECORDING_BATCH	 512
#define WP_RECORDING_BATCH_BYTES ((size_t)256 << 10) /* of records; at least one is taken */

/* All-zero is empty. */
struct wp_recording_batch {
	size_t n;
	struct wp_record records[WP_RECORDING_BATCH];
	struct wp_stack_raw raws[WP_RECORDING_BATCH];
	struct wp_stack_regs regs[WP_RECORDING_BATCH];
	/* Call chains that do not lie in the bytes as they are, and samples' other data. */
	struct wp_arena chains;
	/* Of all entries that were taken, also of those that became no record. */
	struct wp_recording_block *blocks[WP_RECORDING_BATCH];
	size_t n_blocks, bytes;
	struct wp_recording_functions told; /* before its first record */
};

bool wp_recording_batch_full(const struct wp_recording_batch *batch);
/*
 * Adds a record and keeps its bytes; the batch must not be full. Without `stacks` only samples with
 * a note bring theirs. False when the bytes make no sense: it is left out.
 */
bool wp_recording_batch_add(struct wp_recording_batch *batch, struct wp_recording_head *head,
			    const struct wp_recording_spe *spe,
			    const struct wp_recording_entry *entry, bool stacks);
/* Bytes of an entry, as its header says. */
static inline size_t wp_recording_batch_size_of(const struct wp_recording_entry *entry)
{
	return wp_u16_at(entry->bytes + 6);
}
/* Gives all bytes back. */
void wp_recording_batch_clear(struct wp_recording_batch *batch, struct wp_recording_queue *queue);
void wp_recording_batch_deinit(struct wp_recording_batch *batch);

#endif
