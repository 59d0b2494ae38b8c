/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_doc: everything that sampling found, as the document of `sample` and `record`.
 *
 * Aggregate stage. In: sorted profiles and what the run knows besides. Out: WindowsPerf's layout
 * and its JSON, with members of our own next to them (docs/compatibility.md).
 */
#ifndef WP_SAMPLE_DOC_H
#define WP_SAMPLE_DOC_H

#include "aggregate/annotate.h"
#include "aggregate/callgraph_doc.h"
#include "aggregate/flat.h"
#include "aggregate/hot_rows.h"
#include "aggregate/pcs.h"
#include "aggregate/python_doc.h"
#include "aggregate/wait_states.h"
#include "core/doc.h"
#include "core/event.h"
#include "core/symbol.h"

#define WP_PCS_PER_SYMBOL 10 /* how many -v shows of each row */

/* One mapped module and its sections, for -v. */
struct wp_sample_section {
	const char *name;
	uint64_t offset, size; /* rva, bytes in memory */
};

struct wp_sample_module {
	const char *name, *path;
	uint64_t address;
	bool has_symbols; /* a sample was resolved in it */
	WP_VEC(struct wp_sample_section) sections;
};

struct wp_gil_waits;
struct wp_idle_waits;
struct wp_lap;
struct wp_ratio_report;
struct wp_thread_shares_report;
struct wp_wait_kinds;
struct wp_waker_pairs;

struct wp_sample_report {
	const struct wp_ratio_report *ratio; /* NULL: none is asked for */
	const struct wp_event_set *events;
	const struct wp_symbol_set *symbols;
	const struct wp_flat *flat;		/* sorted */
	const struct wp_wait_states *waits;	/* or NULL */
	const struct wp_idle_waits *idle;	/* what was left out */
	const struct wp_gil_waits *gil;		/* finished; or NULL */
	const struct wp_wait_kinds *kinds;	/* finished; NULL without --waits */
	const struct wp_waker_pairs *wakers;	/* finished; NULL without --wakers */
	const struct wp_thread_names *names;	/* of threads; NULL: they are not told apart */
	const struct wp_pcs *pcs;		/* sorted; NULL without -v */
	const struct wp_annotation *annotation; /* NULL without --annotate */
	bool disassembled;
	const struct wp_python_report *python;	     /* NULL when no interpreter was met */
	const struct wp_callgraph_report *callgraph; /* NULL without -g */

	const struct wp_thread_shares_report *threads; /* NULL: no table of them */
	const struct wp_lap *lap; /* what it is of; NULL: of the whole run, whose time is told */

	const char *pe_file, *pdb_file; /* the main image; "" when there is none */
	uint32_t main_module;		/* WP_NO_MODULE when there is none */
	bool has_base;
	uint64_t base, delta;
	bool verbose;
	WP_VEC(struct wp_sample_module) modules; /* with -v */

	uint64_t rows;		   /* how many the table shows at most */
	uint64_t text_rows;	   /* in text, where no table of Python is beside it; 0: rows */
	bool long_names;	   /* as in the symbol table */
	const char *symbol_filter; /* NULL: all */
	bool recorded;		   /* why there are no samples is said elsewhere */
	uint64_t lost, throttled;
	uint64_t lost_stacks; /* of samples that are there */
	const char *advice;   /* lines about what would say more; NULL: none */
	const char *ending;   /* -v: a line about the end of the process; NULL: none */
	uint64_t elapsed_ns;
	const char *why_empty; /* when there is no sample; NULL: not said */
};

/* The caller frees. */
struct wp_doc *wp_sample_doc(const struct wp_sample_report *report);

/* The rows of one event as the report shows them (all of them, before row limit and filter). An
 * event without samples has none. */
void wp_sample_rows(const struct wp_sample_report *report, uint32_t event, struct wp_hot_rows *ret);
/* True when the table has this row: it fits the filter and is within the limit. `shown` counts. */
bool wp_sample_shows(const struct wp_sample_report *report, const struct wp_hot_row *row,
		     uint64_t *shown);

#endif
