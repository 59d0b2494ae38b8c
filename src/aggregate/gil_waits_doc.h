/* SPDX-License-Identifier: BSD-3-Clause */
/* gil_waits_doc: the table of who kept whom waiting for the GIL. Aggregate stage. */
#ifndef WP_GIL_WAITS_DOC_H
#define WP_GIL_WAITS_DOC_H

#include "aggregate/gil_waits.h"
#include "aggregate/python_doc.h"

/* Appends `gil_waits` for JSON and CSV; nothing when nobody waited. It must be finished. */
void wp_gil_waits_doc_data(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_gil_waits *waits, const struct wp_python_report *report);
/* Appends its text under a headline. */
void wp_gil_waits_doc_text(struct wp_doc *doc, struct wp_node *parent,
			   const struct wp_gil_waits *waits, const struct wp_python_report *report,
			   const char *event);

#endif
