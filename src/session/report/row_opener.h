/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_opener: more about a row of a report that is looked at on screens.
 *
 * Session stage. In: a row's subject and the run it is of. Out: its function as it is written,
 * where samples were in it, and, of runs with stacks, who calls it and what it calls.
 */
#ifndef WP_ROW_OPENER_H
#define WP_ROW_OPENER_H

#include "aggregate/callgraph_doc.h"
#include "aggregate/listing.h"
#include "view/screen/screen_view.h"

struct wp_sampling;

struct wp_row_opener {
	struct wp_screen_opener opener;
	struct wp_sampling *s;
	const struct wp_callgraph_report *callgraph; /* or NULL */
	/* Documents borrow from both: */
	struct wp_arena arena;		     /* source lines */
	WP_VEC(struct wp_listings *) listed; /* what was opened */
};

/* All is borrowed; the run's results are there and are sorted by this. The caller deinits, behind
 * the last document. */
void wp_row_opener_init(struct wp_row_opener *opener, struct wp_sampling *s,
			const struct wp_callgraph_report *callgraph);
void wp_row_opener_deinit(struct wp_row_opener *opener);

#endif
