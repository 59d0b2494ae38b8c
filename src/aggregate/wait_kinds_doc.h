/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_kinds_doc: the table of what threads wait for (--waits). Aggregate stage. */
#ifndef WP_WAIT_KINDS_DOC_H
#define WP_WAIT_KINDS_DOC_H

#include "aggregate/python_doc.h"
#include "aggregate/wait_kinds.h"

/* Python's columns in text are there where some row has a line. */
struct wp_wait_kinds_report {
	const struct wp_wait_kinds *kinds; /* finished */
	const struct wp_symbol_set *symbols;
	uint64_t rows;	    /* of the table in JSON and CSV, at most */
	uint64_t text_rows; /* in text */
};

/* Appends `waits` under a headline of that event; empty where nobody waited. */
void wp_wait_kinds_doc(struct wp_doc *doc, struct wp_node *parent,
		       const struct wp_wait_kinds_report *report, const char *event);

#endif
