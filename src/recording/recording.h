/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording: the records of a perf.data file, as `perf record` wrote it.
 *
 * Source stage. Time is the file's (perf's clock unless it was recorded with -k mono, whatever
 * core/record.h says). A thread of its own reads, unpacks, decodes and orders a few batches ahead
 * of who takes them; without one (a small recording; it cannot be started) the same is done in
 * ops->next. Calls come from one thread. Memory is bounded.
 */
#ifndef WP_RECORDING_H
#define WP_RECORDING_H

#include "base/log.h"
#include "base/watch.h"
#include "core/event.h"
#include "core/source.h"
#include "recording/recording_head.h"
#include "recording/recording_notes.h"

/*
 * Opens a file, of any owner only when that is asked for (perf's --force). Errors name it and say
 * in one line what is wrong with it. The watch is told of what comes through a pipe, which is read
 * to its end first. The caller closes through ops->close; each `start` begins at
 * the first record again. There are never counts.
 */
struct wp_err *wp_recording_open(const char *path, bool any_owner, const struct wp_log *log,
				 const struct wp_watch *watch,
				 struct wp_source **ret) WP_MUST_CHECK;
/* Whose file it is; false: it came through a pipe. */
bool wp_recording_owner(const struct wp_source *source, uint32_t *ret_uid);
/* Before it starts: nobody will ask for the stacks of samples, except for those that have a note,
 * so that they need not be read. */
void wp_recording_no_stacks(struct wp_source *source);
/* Before it starts: samples bring what else they carry (core/sample_data.h). */
void wp_recording_want_data(struct wp_source *source);
/* Before it starts: what it says of Python is taken from a budget, which outlives it. */
void wp_recording_budget(struct wp_source *source, struct wp_budget *budget);
/* The events of an opened recording, in the order of their index in samples; until it is closed. */
const struct wp_event_set *wp_recording_events(const struct wp_source *source);
/* Whether samples of an event have a time; without one it is 0. */
bool wp_recording_has_time(const struct wp_source *source, uint32_t event);
/* What it says of itself; until it is closed. */
const struct wp_recording_head *wp_recording_head(const struct wp_source *source);
/* What clocks on the wall showed at a time of its records, in ns since 1970; 0: it does not say. */
uint64_t wp_recording_unix_ns(const struct wp_source *source, uint64_t time_ns);
/* The run it is of, once the recording was stopped or is at its end; strings are NULL when it does
 * not say. */
const struct wp_perfdata_run *wp_recording_run(const struct wp_source *source);
/* The field that the periods of an event's samples are of, as far as was read; NULL: they are
 * periods. Lives as long as the source. */
const char *wp_recording_weight(const struct wp_source *source, uint32_t event);
/* A code object's bytecode, once the recording was stopped or is at its end: see
 * wp_recording_notes_bytecode(). */
bool wp_recording_bytecode(const struct wp_source *source, uint32_t number,
			   struct wp_python_bytecode *ret);
/*
 * Before it starts: what a recording of Arm SPE says of code objects, and where their bytecode lay
 * (wp_recording_notes.places), most of which stands at its end. NULL: it is none. Lives as long as
 * the source.
 */
const struct wp_recording_notes *wp_recording_read_ahead(struct wp_source *source);
/* Likewise of one whose samples have addresses: what of Python's memory these are in (types and
 * blocks of the notes). NULL: it does not say. */
const struct wp_recording_notes *wp_recording_touched(struct wp_source *source);
/* It tells of some. */
bool wp_recording_has_bytecode(const struct wp_source *source);
/*
 * A Python function by the number in a frame's address (format/perf/perfdata_notes.h), told before
 * the samples that have it; NULL: it was not. Valid until the next batch.
 */
const struct wp_recording_function *wp_recording_function(const struct wp_source *source,
							  uint32_t number);

/* How much of the file the batches so far are of: its bytes; ret_all is 0 when nobody knows. */
void wp_recording_progress(const struct wp_source *source, uint64_t *ret_done, uint64_t *ret_all);

#endif
