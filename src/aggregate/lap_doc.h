/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lap_doc: the head of one interval of `top`, and what all of them come to.
 *
 * Aggregate stage. In: numbers. Out: a line of text and the member `top` of JSON.
 */
#ifndef WP_LAP_DOC_H
#define WP_LAP_DOC_H

#include "core/doc.h"

#include <stdint.h>

/* Strings are borrowed. */
struct wp_lap {
	uint64_t number;		/* from 1 */
	const char *target;		/* what is watched */
	const char *clock, *time;	/* when it ended: for text, for JSON; NULL: not known */
	uint64_t ended_ns, elapsed_ns;	/* since the start; in this interval */
	uint64_t samples, lost;		/* in it */
	uint64_t all_samples, all_lost; /* from the start to its end */
	bool last;
};

/* Appends `top` to the root. */
void wp_lap_doc(struct wp_doc *doc, const struct wp_lap *lap);
/* The text behind the last one; ending: a line about the end of the target, or NULL. The caller
 * frees. */
struct wp_doc *wp_lap_doc_end(const struct wp_lap *last, const char *ending);

#endif
