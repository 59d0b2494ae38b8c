/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced_python: the Python line of operations that a processor traced (Arm SPE), of which no stack
 * was read.
 *
 * Session stage, a sink in front of another one. The evaluation loop loads every code unit that it
 * runs: a load by it of a unit of a known code object is of that line, exactly. Other operations
 * are held until their thread is seen again: by such a load, or by a sample of another event, whose
 * Python frames were read. Where that agrees with what was seen of the thread before them, they are
 * of that line, or of that function; else of somewhere between, which is not said to be anything.
 * Samples that were held come later than they were taken.
 */
#ifndef WP_TRACED_PYTHON_H
#define WP_TRACED_PYTHON_H

#include "base/map.h"
#include "base/vec.h"
#include "core/doc.h"
#include "core/sink.h"
#include "session/recorded/python_places.h"

/* What function and file of operations between two lines are called. */
#define WP_TRACED_BETWEEN_NAME "(between)"

struct wp_resolver;

enum wp_traced_how {
	WP_TRACED_EXACT,    /* a load of a code unit */
	WP_TRACED_LINE,	    /* both sides agree on the line */
	WP_TRACED_FUNCTION, /* on the function */
	WP_TRACED_BETWEEN,  /* on neither, or there is only one side */
	WP_TRACED_HOWS
};

struct wp_traced_thread;

struct wp_traced_python {
	struct wp_sink sink;
	struct wp_sink *to; /* borrowed */
	struct wp_resolver *resolver;
	struct wp_python_places places;
	WP_VEC(struct wp_traced_thread *) threads;
	struct wp_map thread_of; /* pid << 32 | tid -> index in threads + 1 */
	struct wp_map seen;	 /* pid -> 1: a Python frame of it was met */
	struct wp_map loops;	 /* symbol -> 1: it is the evaluation loop's; 2: it is not */
	struct wp_map symbol_of; /* number of a function -> symbol + 1 */
	size_t held, held_most;	 /* samples of all threads */
	uint64_t counts[WP_TRACED_HOWS];
	uint64_t beyond; /* of those between, for which there was no room */
};

/* notes: as wp_recording_read_ahead() gives them, NULL: there is nothing to do but hand on. */
void wp_traced_python_init(struct wp_traced_python *traced, struct wp_sink *to,
			   struct wp_resolver *resolver, const struct wp_recording_notes *notes);
void wp_traced_python_deinit(struct wp_traced_python *traced);
#define wp_autotraced_python WP_CLEANUP(wp_traced_python_deinit)
struct wp_sink *wp_traced_python_sink(struct wp_traced_python *traced);
/* When all samples have come: what is still held has one side only. */
void wp_traced_python_end(struct wp_traced_python *traced);
/* Shares of exact, agreed and between, and members of these names; nothing if there were none. */
void wp_traced_python_note(const struct wp_traced_python *traced, struct wp_doc *doc,
			   struct wp_node *parent);

#endif
