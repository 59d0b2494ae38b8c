/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ratio_doc: two events of a run divided by one another, by function and by Python line: what
 * {a,b}:S is sampled for. Clocks are in milliseconds.
 */
#ifndef WP_RATIO_DOC_H
#define WP_RATIO_DOC_H

#include "aggregate/flat.h"
#include "aggregate/hot_rows.h"
#include "aggregate/spots.h"
#include "base/err.h"
#include "core/doc.h"
#include "core/event.h"

struct wp_ratio_report {
	const struct wp_event_set *events;
	uint32_t over, under;	      /* over is divided by under */
	const struct wp_flat *flat;   /* sorted */
	const struct wp_spots *spots; /* NULL: no Python */
	struct wp_hot_options names;
	uint64_t rows; /* of each table, at most */
};

/* Finds "A/B" among the events, with or without their modifiers. */
struct wp_err *wp_ratio_find(const struct wp_event_set *events, const char *text,
			     uint32_t *ret_over, uint32_t *ret_under) WP_MUST_CHECK;
/* Refuses words that wp_ratio_find() would; NULL is none. */
struct wp_err *wp_ratio_check(const struct wp_event_set *events, const char *text) WP_MUST_CHECK;
/* Appends "ratio": a table of functions, and one of Python lines where there are any. */
void wp_ratio_doc(struct wp_doc *doc, struct wp_node *parent, const struct wp_ratio_report *report);

#endif
