/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results: the sinks of a report of hot functions: tables of functions, of Python code, a call
 * graph, instructions.
 */
#ifndef WP_RESULTS_H
#define WP_RESULTS_H

#include "aggregate/callgraph_doc.h"
#include "aggregate/callgraph_sink.h"
#include "aggregate/code_places.h"
#include "aggregate/flat.h"
#include "aggregate/gil_waits.h"
#include "aggregate/idle_waits.h"
#include "aggregate/pcs.h"
#include "aggregate/python_sink.h"
#include "aggregate/thread_shares.h"
#include "aggregate/wait_kinds.h"
#include "aggregate/waker_pairs.h"
#include "aggregate/wait_states.h"
#include "base/err.h"
#include "session/report/jit_hint.h"

struct wp_resolver;
struct wp_session_options;

#define WP_RESULTS_SINKS 11

/* What the sinks are made of. */
struct wp_results_parts {
	const struct wp_session_options *options;
	struct wp_resolver *resolver;
	const struct wp_event_set *events; /* as the sinks will know them, which may still change */
	bool stacks;			   /* a call graph is wanted */
	bool waits;			   /* an event is offcpu-time */
	/* They are reset again and again: with a table of threads, and without that of who kept
	 * whom waiting for the GIL, which needs to see a wait from begin to end. */
	bool laps;
};

/* All-zero is empty. */
struct wp_results {
	struct wp_results_parts parts;
	struct wp_flat flat;
	struct wp_jit_hint jit_hint;
	struct wp_python_sink python;
	struct wp_callgraph_sink callgraph; /* takes nothing without -g */
	struct wp_wait_states waits;	    /* takes nothing unless an event is offcpu-time */
	struct wp_gil_waits gil;	    /* nor does this */
	struct wp_code_places places;	    /* takes nothing unless bytecode may be shown */
	struct wp_wait_kinds kinds;	    /* takes nothing without --waits */
	struct wp_waker_pairs wakers;	    /* takes nothing without --wakers */
	struct wp_idle_waits idle;	    /* what none of them got (wp_sampling_fold_idle()) */
	struct wp_pcs pcs;		 /* takes nothing unless lines or instructions are shown */
	struct wp_thread_shares threads; /* takes nothing without laps */
};

/* Refuses --waits and --wakers without offcpu-time, and beside what shows no event on its own. */
struct wp_err *wp_results_check(const struct wp_session_options *options,
				const struct wp_event_set *events) WP_MUST_CHECK;
/* Fills ret[WP_RESULTS_SINKS] with the sinks that the options ask for, and says how many they are.
 */
size_t wp_results_begin(struct wp_results *results, const struct wp_results_parts *parts,
			struct wp_sink **ret);
/* Forgets what was counted. The sinks stay where they are, and go on. */
void wp_results_reset(struct wp_results *results);
/* As above, but what was counted is *ret then, for the caller to deinit. Nothing is added to it. */
void wp_results_take(struct wp_results *results, struct wp_results *ret);
/* About how much memory what was counted takes. */
uint64_t wp_results_bytes(const struct wp_results *results);
void wp_results_deinit(struct wp_results *results);

#endif
