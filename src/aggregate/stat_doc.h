/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_doc: the counts of one period as a document: blocks, tables and JSON members of `stat`.
 *
 * Aggregate stage. The shape is WindowsPerf's (docs/compatibility.md): one block per core, or one
 * for a process; core events under `core`, those of the other units under `dsu`, `dmc` and (ours
 * alone) `uncore`.
 */
#ifndef WP_STAT_DOC_H
#define WP_STAT_DOC_H

#include "aggregate/stat_info.h"
#include "core/doc.h"

/*
 * Appends core, dsu, dmc and Time_elapsed to an object, with the prose and tables that text shows.
 * `overall`: with the system-wide sum when there are several cores.
 */
void wp_stat_doc_add(struct wp_doc *doc, struct wp_node *parent, const struct wp_stat_info *info,
		     const struct wp_counts *counts, bool overall);

/* -v: "events to be counted:" and one line per class. */
void wp_stat_doc_add_plan(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_event_set *events);

/* CPU time of a command. */
struct wp_stat_times {
	bool known;
	uint64_t user_ns, system_ns;
};

/*
 * The line "1.122 seconds time elapsed", with an empty one before it; behind it what of that the
 * command was on a CPU, if it is known. `exact`: to the nanosecond, as perf has it.
 */
void wp_stat_doc_add_elapsed(struct wp_doc *doc, struct wp_node *parent, uint64_t elapsed_ns,
			     const struct wp_stat_times *times, bool exact);

#endif
