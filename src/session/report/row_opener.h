/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_opener: more about a row of a report that is looked at on screens.
 *
 * Session stage. In: a row's subject, the run it is of, and what was counted. Out: its function as
 * it is written, where samples were in it, and, of runs with stacks, who calls it and what it
 * calls.
 */
#ifndef WP_ROW_OPENER_H
#define WP_ROW_OPENER_H

#include "view/screen/screen_view.h"

struct wp_results;
struct wp_sampling;

struct wp_row_opener {
	struct wp_screen_opener opener;
	struct wp_sampling *s;
	struct wp_results *results;
};

/* All is borrowed; a report was made of the results, and nothing is added to them any more. What is
 * opened lives as long as the run. */
void wp_row_opener_init(struct wp_row_opener *opener, struct wp_sampling *s,
			struct wp_results *results);

#endif
