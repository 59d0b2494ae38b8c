/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem_report: the tables of `wperf mem`: accesses to memory by function, line, Python function and
 * line, and by the memory that they touched.
 *
 * Session stage. In: samples of a recording, resolved, of which those count that are of a load or
 * store, or have the address of data. Out: a document. What rows are by are keys of `report --sort`
 * (sort_keys.h).
 */
#ifndef WP_MEM_REPORT_H
#define WP_MEM_REPORT_H

#include "aggregate/mem_doc.h"
#include "session/recorded/report_sort.h"

#define WP_MEM_TABLES 8

struct wp_mem_table {
	const char *name; /* in JSON */
	const struct wp_sort_key *keys[WP_SORTED_KEYS];
	size_t n;
	bool address; /* rows are of data: threads that share them matter */
	struct wp_sorted sorted;
	struct wp_mem_stats stats; /* by number of the tuple */
};

/*
 * Samples of all events that say who answered (loads and stores, which perf mem records as two
 * events) are one group; those of an event that have an address only (page faults), its own.
 */
struct wp_mem_report {
	struct wp_sink sink;
	struct wp_report_sort *sort; /* the keys' state; outlives it */
	const struct wp_mem_column *by;
	struct wp_mem_table tables[WP_MEM_TABLES];
	size_t n;
	WP_VEC(bool) sourced;	    /* by event: it is in the group of those that say it */
	struct wp_mem_stats totals; /* by group */
	uint64_t beyond;	    /* times that a table had no room for a row */
	uint64_t left_out;	    /* samples of something else */
};

/* What the options ask for: --sort KEYS one table, else the usual ones; --sort-by. */
struct wp_err *wp_mem_report_init(struct wp_mem_report *report, struct wp_report_sort *sort,
				  const struct wp_report_sort_parts *of) WP_MUST_CHECK;
void wp_mem_report_deinit(struct wp_mem_report *report);
#define wp_automem_report WP_CLEANUP(wp_mem_report_deinit)
struct wp_sink *wp_mem_report_sink(struct wp_mem_report *report);
/* The caller frees. lost: samples. */
struct wp_doc *wp_mem_report_doc(struct wp_mem_report *report, uint64_t lost);

#endif
