/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topdown: the top-down tree of this machine's CPU, to be counted: where its issue slots (or
 * cycles) went, first and second level.
 *
 * Event stage. The tree is the catalogue's (cpu.h). What this machine cannot count keeps its row,
 * with the reason, so that what is shown does not look complete when it is not.
 */
#ifndef WP_TOPDOWN_H
#define WP_TOPDOWN_H

#include "event/catalogue.h"

/* How far down --topdown goes; what is deeper are the metrics of its groups (-m). */
#define WP_TOPDOWN_LEVELS 2

struct wp_topdown_row {
	const char *metric, *unit;
	const char *next;    /* comma list of groups and metrics that tell more; "" */
	const char *missing; /* why it is not counted, or NULL */
	int level;	     /* from 1 */
};

/* All-zero is an empty one. */
struct wp_topdown {
	struct wp_arena arena;
	WP_VEC(struct wp_topdown_row) rows; /* each behind what it is a part of */
	const char *note;		    /* what the tree lacks, or NULL */
};

/*
 * Appends the events of the tree to the set. WP_ERR_UNSUPPORTED, with what there is instead, for a
 * CPU without a tree, and when nothing of it can be counted. The caller deinits *ret, also after a
 * failure.
 */
struct wp_err *wp_topdown_plan(const struct wp_catalogue *catalogue, struct wp_event_set *set,
			       struct wp_topdown *ret) WP_MUST_CHECK;
void wp_topdown_deinit(struct wp_topdown *topdown);

#endif
