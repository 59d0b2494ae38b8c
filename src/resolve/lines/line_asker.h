/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_asker: questions about the lines of strangers' files, asked on a thread that may be left.
 *
 * Resolve stage. Nothing interrupts libdw, and a file of a few KB can be made to keep one call of
 * it for an hour (each of its entries has a million attributes). So whoever asks waits until nobody
 * has patience any more, ten seconds at most, and then leaves the question to its thread, which
 * ends with the program.
 */
#ifndef WP_LINE_ASKER_H
#define WP_LINE_ASKER_H

#include "base/patience.h"
#include "base/worker.h"

/* All-zero asks nobody yet, and has all patience. */
struct wp_line_asker {
	struct wp_patience *patience;
	struct wp_worker *worker; /* made for the first question */
	unsigned int left;	  /* questions that have a thread for ever */
};

/* Waits for the answer; false: there is none, and what the question points to stays the thread's.
 */
bool wp_line_asker_ask(struct wp_line_asker *asker, struct wp_job *question);
/* False when nobody is asked any more, and for how long does not matter. */
bool wp_line_asker_may_ask(const struct wp_line_asker *asker);
void wp_line_asker_deinit(struct wp_line_asker *asker);

#endif
