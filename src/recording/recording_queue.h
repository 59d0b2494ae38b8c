/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_queue: records of a recording that wait for their turn, as bytes, put in order of time.
 *
 * Source stage. perf writes ring after ring, so a record of the last ring may be older than those
 * of the first. What waits is its bytes and its time: a record becomes a struct when it is given
 * out, a small batch at a time, so that a gigabyte of stack copies is copied once and stays in the
 * caches. Rings are in order themselves: runs are merged, nothing is sorted one by one.
 */
#ifndef WP_RECORDING_QUEUE_H
#define WP_RECORDING_QUEUE_H

#include "core/stack.h"

#include "base/vec.h"

struct wp_recording_block;

struct wp_recording_entry {
	uint64_t time_ns;
	const uint8_t *bytes;		  /* the record, its size in its header; 8-byte aligned */
	const struct wp_stack_note *note; /* NULL: none stood before it */
	struct wp_recording_block *block; /* where both are */
};

struct wp_recording_entries {
	struct wp_recording_entry *v;
	size_t n, cap;
};

/* All-zero is empty. */
struct wp_recording_queue {
	/* Up to `at` they were given out, up to `ready` they are in order and due. */
	struct wp_recording_entries entries;
	size_t at, ready;
	struct wp_recording_entries scratch; /* what `entries` becomes when it is merged */
	WP_VEC(size_t) runs;		     /* where those of `entries` begin */
	struct wp_recording_block *block;    /* that is being filled; NULL: none */
	struct wp_recording_block *unused;
	uint64_t last_ns;
	uint64_t late; /* records that came when a younger one had been due */
};

/* Adds a copy of a record and of its note (NULL: none). */
void wp_recording_queue_add(struct wp_recording_queue *queue, uint64_t time_ns,
			    const uint8_t *bytes, size_t size, const struct wp_stack_note *note);
/*
 * Records not younger than the horizon are due, in order of time; equal times as they were added.
 * Only when all that were due before have been given out.
 */
void wp_recording_queue_release(struct wp_recording_queue *queue, uint64_t horizon_ns);
/*
 * Takes the next one that is due; NULL: none is. It lives until more are added or released, its
 * bytes until its block is given back.
 */
const struct wp_recording_entry *wp_recording_queue_take(struct wp_recording_queue *queue);
/* Once for each entry that was taken. */
void wp_recording_queue_give_back(struct wp_recording_queue *queue,
				  struct wp_recording_block *block);
/* All that were taken must have been given back. */
void wp_recording_queue_deinit(struct wp_recording_queue *queue);

#endif
