/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * empty: why a report has nothing to show: filters, patterns and empty recordings, said on stderr.
 *
 * Session stage. Whoever filtered by mistake must not take the empty table for an answer.
 */
#ifndef WP_EMPTY_H
#define WP_EMPTY_H

#include "core/doc.h"

struct wp_sampling;

/* True when no table has a row. */
bool wp_empty_doc(const struct wp_doc *doc);
/* Of a recording, from which so many samples were taken. */
void wp_empty_tell_samples(const struct wp_sampling *s, uint64_t taken);
/* Why a live run took no sample; NULL: it took some, or is none. The caller frees. */
char *wp_empty_run_why(const struct wp_sampling *s);
/* --symbol has left no function in the tables of the document. */
void wp_empty_tell_symbol(const struct wp_sampling *s, const struct wp_doc *doc);

#endif
