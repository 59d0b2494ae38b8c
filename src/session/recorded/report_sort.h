/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_sort: the tables of `report --sort KEY,...`: samples by who, where, what and when.
 *
 * Session stage. In: samples whose symbol and Python frames are known. Out: one table for each
 * event.
 */
#ifndef WP_REPORT_SORT_H
#define WP_REPORT_SORT_H

#include "base/err.h"
#include "session/recorded/sort_state.h"

struct wp_doc;
struct wp_event_set;
struct wp_session_options;

/* The options ask for such a table and not for hot functions. */
bool wp_report_sort_wanted(const struct wp_session_options *options);
/*
 * --sort, --children (alone: of symbols), --sort-by (total: --children too) and --time-slice; a
 * tenth of a second without.
 */
struct wp_err *wp_report_sort_parse(const struct wp_session_options *options,
				    struct wp_report_sort *ret) WP_MUST_CHECK;
/* Refuses fields that no event has. */
struct wp_err *wp_report_sort_check(const struct wp_report_sort *sort,
				    const struct wp_event_set *events) WP_MUST_CHECK;
void wp_report_sort_deinit(struct wp_report_sort *sort);
/* Rows are of samples and of the Python code that these were in. */
bool wp_report_sort_by_python(const struct wp_report_sort *sort);
struct wp_sink *wp_report_sort_sink(struct wp_report_sort *sort,
				    const struct wp_report_sort_parts *of);
/* --symbol wants it, or there is no such option. */
bool wp_report_sort_keeps(struct wp_report_sort *sort, uint32_t symbol);
/* The caller frees. lost: samples. */
struct wp_doc *wp_report_sort_doc(struct wp_report_sort *sort, uint64_t lost);

#endif
