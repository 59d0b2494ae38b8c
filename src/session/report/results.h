/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results: the sinks of a report of hot functions: tables of functions, of Python code, a call
 * graph, instructions.
 */
#ifndef WP_RESULTS_H
#define WP_RESULTS_H

#include "aggregate/callgraph_doc.h"
#include "aggregate/callgraph_sink.h"
#include "aggregate/flat.h"
#include "aggregate/pcs.h"
#include "aggregate/python_sink.h"
#include "session/report/jit_hint.h"

struct wp_sampling;

/* All-zero is empty. */
struct wp_results {
	struct wp_flat flat;
	struct wp_jit_hint jit_hint;
	struct wp_python_sink python;
	struct wp_callgraph_sink callgraph; /* takes nothing without -g */
	struct wp_pcs pcs; /* takes nothing unless lines or instructions are shown */
};

/* Makes those the run's sinks that its options ask for. The resolver must be there. */
void wp_results_attach(struct wp_sampling *s);
void wp_results_deinit(struct wp_results *results);

/* Finds what was inlined where stacks passed; once, before the report. */
void wp_results_expand_inlines(struct wp_sampling *s);
/* For the report: false without -g. */
bool wp_results_callgraph(struct wp_sampling *s, struct wp_callgraph_report *ret);
/* For the report: false when no interpreter was met. Sorts the spots. */
bool wp_results_python(struct wp_sampling *s, struct wp_python_report *ret);

#endif
