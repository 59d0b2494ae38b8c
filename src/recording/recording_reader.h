/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_reader: the records of a recording in order of time, batch after batch.
 *
 * Source stage. In: the bytes of the file. Out: batches. All of it may be on a thread of its own,
 * apart from whoever takes the batches. Memory is bounded: the file is read in pieces, and records
 * are put in order from one FINISHED_ROUND to the next but one.
 */
#ifndef WP_RECORDING_READER_H
#define WP_RECORDING_READER_H

#include "recording/recording_batch.h"
#include "recording/recording_file.h"
#include "recording/recording_folder.h"
#include "recording/recording_head.h"
#include "recording/recording_notes.h"
#include "recording/recording_queue.h"
#include "recording/recording_spe.h"

struct wp_recording_reader {
	struct wp_recording_file file;
	struct wp_recording_folder folder; /* what lies beside it */
	struct wp_recording_head head;
	struct wp_recording_notes notes;
	struct wp_recording_queue queue;
	struct wp_recording_spe spe;
	bool wants_data;	      /* what samples carry besides */
	bool no_stacks;		      /* nobody needs those of samples without a note */
	size_t head_bytes;	      /* of a sample without its stack; 0: it is taken as a whole */
	uint64_t at, end;	      /* of what is still to be read */
	uint64_t cut_parts;	      /* files of the folder that end within a record */
	uint64_t parts_bytes;	      /* read of the folder's files */
	uint64_t round_bytes;	      /* of kernel records since the last round */
	uint64_t horizon_ns;	      /* the youngest record of the rounds before the current one */
	uint64_t youngest_ns;	      /* of all records so far */
	uint64_t due_ns, released_ns; /* up to where records may be given out, and were */
	uint64_t malformed;
	uint64_t aux_bytes; /* of traces of processors that are passed over */
	bool at_end;
	bool main_ended; /* of a folder: what is left is in its parts */
};

/* Before the first record; the file and its head were read. */
void wp_recording_reader_start(struct wp_recording_reader *reader, bool no_stacks);
/* Fills a batch that is clear; it stays empty at the end of the recording. */
struct wp_err *wp_recording_reader_fill(struct wp_recording_reader *reader,
					struct wp_recording_batch *batch) WP_MUST_CHECK;
/* All batches must be clear. */
void wp_recording_reader_deinit(struct wp_recording_reader *reader);

#endif
