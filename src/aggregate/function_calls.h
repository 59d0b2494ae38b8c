/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * function_calls: one function's callers, and what it calls, with what the calls cost.
 *
 * Aggregate stage. In: an event's call tree. Out: tables. Of calls within calls (recursion) the
 * outermost counts: a sample is in a row once.
 */
#ifndef WP_FUNCTION_CALLS_H
#define WP_FUNCTION_CALLS_H

#include "aggregate/calltree.h"
#include "core/doc.h"

/* Appends the two tables, each under a headline; nothing when no stack has the function. event: its
 * name. */
void wp_function_calls_doc(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_calltree *tree, uint32_t symbol, const char *event);

#endif
