/* SPDX-License-Identifier: BSD-3-Clause */
/* waker_pairs_doc: the table of who ended whose waits (--wakers). Aggregate stage. */
#ifndef WP_WAKER_PAIRS_DOC_H
#define WP_WAKER_PAIRS_DOC_H

#include "aggregate/thread_names.h"
#include "aggregate/waker_pairs.h"
#include "core/doc.h"

struct wp_waker_pairs_report {
	const struct wp_waker_pairs *pairs; /* finished */
	const struct wp_symbol_set *symbols;
	const struct wp_thread_names *threads; /* NULL: threads are not told apart */
	uint64_t rows;			       /* of the table in JSON and CSV, at most */
	uint64_t text_rows;		       /* in text */
};

/* Appends `wakers` under a headline of that event; empty where nobody's wait ended. */
void wp_waker_pairs_doc(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_waker_pairs_report *report, const char *event);

#endif
