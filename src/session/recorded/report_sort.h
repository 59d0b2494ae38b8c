/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_sort: the tables of `report --sort KEY,...`: samples by who, where, what and when.
 *
 * Session stage. In: samples whose symbol and Python frames are known. Out: one table for each
 * event.
 */
#ifndef WP_REPORT_SORT_H
#define WP_REPORT_SORT_H

#include "aggregate/sorted.h"
#include "base/err.h"
#include "base/strpool.h"
#include "core/sink.h"
#include "session/live/sampling_image.h"

struct wp_doc;
struct wp_event_set;
struct wp_session_options;
struct wp_thread_names;

/* What it asks about samples; all of it outlives it. */
struct wp_report_sort_parts {
	const struct wp_session_options *options;
	const struct wp_event_set *events;
	struct wp_resolver *resolver;
	const struct wp_thread_names *threads;
	const struct wp_sampling_image *image;
};

/* Where a line is: in a Python file (a module of the symbol set), or in a source file (by its
 * string's id). */
struct wp_report_line {
	uint32_t of, line;
};

struct wp_report_lines {
	WP_VEC(struct wp_report_line) all; /* what the key counts */
	struct wp_map index_of;		   /* of and line -> index + 1 */
};

/* All-zero: nobody asked for it. */
struct wp_report_sort {
	struct wp_sink sink;
	struct wp_report_sort_parts of;
	uint8_t keys[WP_SORTED_KEYS]; /* indexes in the table of keys */
	char *fields[WP_SORTED_KEYS]; /* of a key "field:NAME" the whole word; else NULL */
	size_t n;
	bool children;	    /* samples count for all frames of their stacks too */
	bool self_first;    /* rows are sorted by what they cost by themselves */
	unsigned int needs; /* what its keys need, together */
	uint64_t slice_ns, first_ns;
	bool began;
	struct wp_sorted sorted;
	struct wp_strpool strings; /* files, commands, fields */
	struct wp_report_lines lines, python_lines;
	struct wp_map line_at; /* module and address, mixed -> index in lines + 1 */
};

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
struct wp_sink *wp_report_sort_sink(struct wp_report_sort *sort,
				    const struct wp_report_sort_parts *of);
/* The caller frees. lost: samples. */
struct wp_doc *wp_report_sort_doc(struct wp_report_sort *sort, uint64_t lost);

#endif
