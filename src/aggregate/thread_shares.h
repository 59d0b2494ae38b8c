/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_shares: samples by thread, of native programs too, and how often it held the GIL.
 *
 * Aggregate stage. In: samples. Out: a table of an event's threads. The tables of Python code know
 * only threads that run some.
 */
#ifndef WP_THREAD_SHARES_H
#define WP_THREAD_SHARES_H

#include "aggregate/thread_names.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/doc.h"
#include "core/sink.h"

#include <stdint.h>

struct wp_thread_share {
	uint32_t pid, tid;
	uint64_t samples, weight;     /* weight: the sum of their periods */
	uint64_t python;	      /* of samples, those with Python frames */
	uint64_t gil_known, gil_held; /* of samples; known: it was in an interpreter with a GIL */
};

struct wp_thread_shares_event {
	struct wp_map by_tid; /* -> index + 1 */
	WP_VEC(struct wp_thread_share) threads;
	uint64_t weight; /* of all */
};

/* All-zero is empty. */
struct wp_thread_shares {
	struct wp_sink sink;
	WP_VEC(struct wp_thread_shares_event) events; /* grown to the highest event index seen */
};

/* Takes samples from then on. */
struct wp_sink *wp_thread_shares_sink(struct wp_thread_shares *shares);
/* By falling weight. Ends adding. */
void wp_thread_shares_sort(struct wp_thread_shares *shares);
void wp_thread_shares_deinit(struct wp_thread_shares *shares);

struct wp_thread_shares_report {
	const struct wp_thread_shares *shares; /* sorted */
	const struct wp_thread_names *names;
	uint64_t rows, text_rows; /* of the table at most, for JSON and in text */
};

/* Appends `threads` of one event, and in text its headline. name: the event's. */
void wp_thread_shares_doc(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_thread_shares_report *report, uint32_t event,
			  const char *name);

#endif
