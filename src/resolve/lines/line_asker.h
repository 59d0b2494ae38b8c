/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_asker: questions about debug information, asked on a thread that may be left.
 *
 * Resolve stage. Nothing interrupts libdw, and a file of a few KB can be made to keep one call of
 * it for an hour (each of its entries has a million attributes). So whoever asks waits, and leaves
 * the question to its thread, which ends with the program. Of a stranger's file one waits until
 * nobody has patience any more, ten seconds at most; of one's own ten seconds in all behind the end
 * of a run, one if that was interrupted, and without an end for a recording, but never behind a
 * signal.
 */
#ifndef WP_LINE_ASKER_H
#define WP_LINE_ASKER_H

#include "base/log.h"
#include "base/patience.h"
#include "base/worker.h"

/* All-zero asks nobody yet, and has all patience. */
struct wp_line_asker {
	struct wp_patience *patience;
	const struct wp_log *log;
	struct wp_worker *worker; /* made for the first question */
	unsigned int left;	  /* questions that have a thread for ever */

	bool begun, was_interrupted; /* was_interrupted: before the first question */
	/* Of one's own files: */
	uint64_t spent_ns; /* on all questions */
	uint64_t refused;  /* questions that nobody had time for */
	bool told;	   /* that it takes long */
};

/* Waits for the answer; false: there is none, and what the question points to stays the thread's.
 */
bool wp_line_asker_ask(struct wp_line_asker *asker, struct wp_job *question);
/* Of one's own file; `path` is what is told to take long. */
bool wp_line_asker_ask_own(struct wp_line_asker *asker, struct wp_job *question, const char *path);
/* False when nobody is asked any more, and for how long does not matter. */
bool wp_line_asker_may_ask(const struct wp_line_asker *asker);
/* Of one's own files; a question that it forbids is counted. */
bool wp_line_asker_may_ask_own(struct wp_line_asker *asker);
/* Notes how many questions were refused. */
void wp_line_asker_tell(const struct wp_line_asker *asker, const struct wp_log *log);
void wp_line_asker_deinit(struct wp_line_asker *asker);

#endif
