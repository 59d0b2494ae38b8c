/*
 * stat_doc: the counts of one period as a document: blocks, tables and JSON members of `stat`.
 *
 * Aggregate stage. The shape is WindowsPerf's (docs/compatibility.md): one block per core, or one
 * for a process; core events under `core`, those of the other units under `dsu`, `dmc` and (ours
 * alone) `uncore`.
 */
#ifndef WP_STAT_DOC_H
#define WP_STAT_DOC_H

#include "aggregate/counts.h"
#include "core/doc.h"
#include "core/machine.h"
#include "event/metric_plan.h"

/* What is the same for every period of a run. Everything is borrowed. */
struct wp_stat_info {
	const struct wp_event_set *events;
	const char *vendor; /* of the CPU */
	const char
		*label;	  /* "process 12 (python3)", "'python3 x.py'", of CPUs "cgroup x" or NULL */
	const char *cpus; /* "cores 0,2", "all cores": when there is no label */
	bool kernel;	  /* kernel mode was counted too */
	size_t cores;	  /* how many CPUs are counted, or that the processes may run on */
	const struct wp_machine *machine;     /* for the names of its parts; may be NULL */
	const struct wp_metric_plan *metrics; /* may be NULL */
	const struct wp_topdown *topdown;     /* of --topdown; else NULL */
};

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

/* The name of a class in tables and file names: "core", "dsu", "dmc_clk", "dmc_clkdiv2". */
const char *wp_event_class_name(enum wp_event_class class);
/* True when an event of the set is of that class. */
bool wp_event_set_has_class(const struct wp_event_set *events, enum wp_event_class class);

#endif
