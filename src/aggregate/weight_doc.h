/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weight_doc: what a report says of an event whose samples count for a field: its sum, its unit.
 *
 * Aggregate stage. Nothing of events that count for their period.
 */
#ifndef WP_WEIGHT_DOC_H
#define WP_WEIGHT_DOC_H

#include "aggregate/flat.h"
#include "core/doc.h"
#include "core/event.h"

/* "sum of ret: 1002100 bytes", and for data weight, weight_unit and weight_sum. lost: samples. */
void wp_weight_doc(struct wp_doc *doc, struct wp_node *parent, const struct wp_event *event,
		   uint64_t sum, uint64_t lost);
/* A table of samples by the size of what they count for, with a bar for each row of text. */
void wp_weight_histogram(struct wp_doc *doc, struct wp_node *parent, const char *key,
			 const uint64_t powers[WP_FLAT_POWERS]);

#endif
