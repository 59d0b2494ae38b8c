/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calltree_text: a tree of functions as lines of text: two columns of percent, then the names,
 * branches drawn with ASCII.
 *
 * Aggregate stage. Branches below half a percent of the event are left out and summed up in one
 * line. A function that takes nearly all of its caller stands below it without an indent, and
 * recursion is folded, so that deep stacks stay readable.
 */
#ifndef WP_CALLTREE_TEXT_H
#define WP_CALLTREE_TEXT_H

#include "aggregate/calltree.h"
#include "core/doc.h"

#define WP_CALLTREE_TEXT_PART 200 /* what is less than one of so many parts is left out */

/* The functions that call nobody's and what they call: columns total and self. */
void wp_calltree_text_callees(struct wp_doc *doc, struct wp_node *parent,
			      const struct wp_calltree *tree);
/*
 * The functions (indexes) and who called them: columns self and, of the function's own cost, the
 * share that came that way.
 */
void wp_calltree_text_callers(struct wp_doc *doc, struct wp_node *parent,
			      const struct wp_calltree *tree, const uint32_t *functions, size_t n);

#endif
