/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callgraph_doc: the `-g` part of a sampling report: functions with what they call, a tree of
 * callees and one of callers, and how complete the stacks were.
 *
 * Aggregate stage. Text leaves out branches below half a percent and sums them up in a line; JSON
 * has the tree of callees, down to a hundredth of a percent.
 */
#ifndef WP_CALLGRAPH_DOC_H
#define WP_CALLGRAPH_DOC_H

#include "aggregate/callgraph.h"
#include "aggregate/hot_rows.h"
#include "core/doc.h"

struct wp_callgraph_report {
	const struct wp_callgraph *graph;
	const char *mode; /* how stacks were taken: "dwarf", "fp" ... */
	struct wp_hot_options names;
	uint64_t rows;		   /* how many functions are shown at most */
	bool by_self;		   /* functions are sorted by self, not by total */
	const char *symbol_filter; /* of the functions that are shown; NULL: all */
	bool python;		   /* Python code was met */
	/* Runs of Python frames that were not found on the native stack; activations of the
	 * evaluation loop without Python frames. */
	uint64_t unbound, missing;
};

/* Appends one event's `functions` and `call_tree`, and their text under a headline. */
void wp_callgraph_doc_event(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_callgraph_report *report, uint32_t event,
			    const char *name);
/* Appends `stacks`: how many there were and why some are not complete. */
void wp_callgraph_doc_stacks(struct wp_doc *doc, struct wp_node *parent,
			     const struct wp_callgraph_report *report);
/* Appends how many stacks there were, and what they lack, as a line of text. */
void wp_callgraph_doc_note(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_callgraph_report *report);

#endif
