/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_notes: what one of our recordings says besides perf's records: its Python functions,
 * and of the sample that comes next what its call chain cannot tell.
 *
 * Source stage, on the reader's thread. In: bodies of WP_PERFDATA_NOTE_TYPE records. Functions are
 * told in the order of the file; samples name them by number from then on.
 */
#ifndef WP_RECORDING_NOTES_H
#define WP_RECORDING_NOTES_H

#include "base/map.h"
#include "base/str.h"
#include "base/strpool.h"
#include "core/budget.h"
#include "format/perf/perfdata_notes.h"
#include "format/python/python_bytecode.h"

/* A function as the recording tells it; name NULL: its code object was not known. */
struct wp_recording_function {
	uint32_t number;
	const char *name, *file; /* live as long as the notes, and do not change */
	uint32_t first_line, line_base;
	bool told;
};

struct wp_recording_functions {
	struct wp_recording_function *v;
	size_t n, cap;
};

/* A code object's bytecode and line table, as far as their pieces have come. */
struct wp_recording_bytecode {
	struct wp_perfdata_bytecode head; /* without a piece */
	struct wp_str bytes;
};

/* A note of samples that are still to come; its frames and rest are parts of the notes' lists. */
struct wp_recording_coming {
	struct wp_stack_note note; /* frames and rest: where they begin is not set yet */
	size_t frames_at, rest_at;
	uint32_t samples;
};

/* All-zero is empty. */
struct wp_recording_notes {
	struct wp_recording_functions told; /* since somebody emptied it */
	size_t n_functions;		    /* the highest number of all + 1 */
	struct wp_strpool strings;
	struct wp_budget *budget; /* borrowed; texts and functions are taken from it */
	uint64_t taken;
	struct wp_perfdata_run run; /* strings NULL: it was not told */
	WP_VEC(struct wp_perfdata_weight) weights;
	uint64_t damaged; /* notes that make no sense */
	/* Of the next samples, in their order; what was told of the one behind them stands behind.
	 */
	WP_VEC(struct wp_recording_coming) coming;
	size_t at; /* of coming: the next sample's */
	WP_VEC(uint64_t) frames, rest;
	size_t n_frames, n_rest;			  /* of these, those of `coming` */
	WP_VEC(struct wp_stack_instruction) instructions; /* of the samples of `coming`, one each */
	size_t instruction_at;				  /* the next sample's */
	WP_VEC(struct wp_recording_bytecode) bytecodes;
	struct wp_map bytecode_of; /* number -> index + 1 */
	WP_VEC(struct wp_perfdata_place) places;
	WP_VEC(struct wp_perfdata_type) types;
	WP_VEC(struct wp_perfdata_block) blocks;
	struct wp_str name; /* a thread's, as a record */
};

/* Takes what has its turn among the records at a time; the bytes are borrowed. */
typedef void wp_recording_timed_fn(void *arg, uint64_t time_ns, const uint8_t *bytes, size_t size);

/* Puts what was told at its numbers. */
void wp_recording_notes_apply(const struct wp_recording_functions *told,
			      struct wp_recording_functions *by_number);
/* Notes of a record; names of threads are handed on. */
void wp_recording_notes_take(struct wp_recording_notes *notes, struct wp_bytes body,
			     wp_recording_timed_fn *timed, void *arg);
/* There is a note of the sample at hand. */
static inline bool wp_recording_notes_has(const struct wp_recording_notes *notes)
{
	return notes->at < notes->coming.n;
}
/* The note of the sample at hand, until the next call; NULL: it has none. */
const struct wp_stack_note *wp_recording_notes_of_sample(struct wp_recording_notes *notes);
/* Bytes live as long as the notes; false: it was not told, or not whole. */
bool wp_recording_notes_bytecode(const struct wp_recording_notes *notes, uint32_t number,
				 struct wp_python_bytecode *ret);
/* The sample is done. */
void wp_recording_notes_forget(struct wp_recording_notes *notes);
void wp_recording_notes_deinit(struct wp_recording_notes *notes);

#endif
