/*
 * recording_batch: what waited in a recording's queue, as records.
 *
 * Source stage, behind recording_queue. In: bytes in order of time. Out: a batch of records that
 * point into these bytes; it is small, so that it stays in the nearest caches.
 */
#ifndef WP_RECORDING_BATCH_H
#define WP_RECORDING_BATCH_H

#include "base/arena.h"
#include "source/recording_head.h"
#include "source/recording_queue.h"

#define WP_RECORDING_BATCH 128

/* All-zero is empty. */
struct wp_recording_batch {
	size_t n;
	uint64_t malformed; /* records that were left out, in all batches */
	struct wp_record records[WP_RECORDING_BATCH];
	struct wp_stack_raw raws[WP_RECORDING_BATCH];
	struct wp_stack_regs regs[WP_RECORDING_BATCH];
	struct wp_arena chains; /* those that do not lie in the bytes as they are */
};

/* Makes a batch of at most WP_RECORDING_BATCH entries; it lives as long as their bytes. */
void wp_recording_batch_fill(struct wp_recording_batch *batch, struct wp_recording_head *head,
			     const struct wp_recording_entry *entries, size_t n);
void wp_recording_batch_deinit(struct wp_recording_batch *batch);

#endif
