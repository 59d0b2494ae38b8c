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

#include "base/strpool.h"
#include "core/budget.h"
#include "format/perf/perfdata_notes.h"

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

/* All-zero is empty. */
struct wp_recording_notes {
	struct wp_recording_functions told; /* since somebody emptied it */
	size_t n_functions;		    /* the highest number of all + 1 */
	struct wp_strpool strings;
	struct wp_budget *budget; /* borrowed; texts and functions are taken from it */
	uint64_t taken;
	struct wp_perfdata_run run; /* strings NULL: it was not told */
	uint64_t damaged;	    /* notes that make no sense */
	/* Of the next sample. */
	struct wp_stack_note next;
	bool has_next;
	WP_VEC(uint64_t) frames, rest;
};

/* Puts what was told at its numbers. */
void wp_recording_notes_apply(const struct wp_recording_functions *told,
			      struct wp_recording_functions *by_number);
/* True: it is the name of a thread, which has its turn among the records at *ret_time_ns. */
bool wp_recording_notes_take(struct wp_recording_notes *notes, struct wp_bytes body,
			     uint64_t *ret_time_ns);
/* The note of the sample at hand, until the next call; NULL: it has none. */
const struct wp_stack_note *wp_recording_notes_of_sample(struct wp_recording_notes *notes);
static inline void wp_recording_notes_forget(struct wp_recording_notes *notes)
{
	notes->has_next = false;
	notes->frames.n = 0;
	notes->rest.n = 0;
}
void wp_recording_notes_deinit(struct wp_recording_notes *notes);

#endif
