/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closed_doc: a finished document in the shape that WindowsPerf's published schemas allow.
 *
 * Aggregate stage, last. Those schemas are closed where counters and sampled events are listed, and
 * their numbers are integers.
 */
#ifndef WP_CLOSED_DOC_H
#define WP_CLOSED_DOC_H

#include "core/doc.h"

/*
 * Changes doc for --json=strict; its text is of no use afterwards. A `counter_value` and
 * `scaled_value` that is not there becomes 0, as WindowsPerf has it. What sampled events have
 * beside WindowsPerf's members moves to `event_details` of the root: an object for each event that
 * has any, with its `type`.
 */
void wp_doc_close(struct wp_doc *doc);

#endif
