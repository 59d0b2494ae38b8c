/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_doc: the Python part of a sampling report: hot functions and hot lines of each event, its
 * threads with --threads, and how the samples' Python frames came out.
 *
 * Aggregate stage. In: sorted spots and what the run knows besides. A run that met no interpreter
 * has no report (NULL), and nothing is printed of it.
 */
#ifndef WP_PYTHON_DOC_H
#define WP_PYTHON_DOC_H

#include "aggregate/spots.h"
#include "aggregate/thread_names.h"
#include "core/doc.h"
#include "core/python_plan.h"
#include "core/symbol.h"

/* Samples of threads whose process has an interpreter, all events together. */
struct wp_python_counts {
	uint64_t samples;
	uint64_t with_frames;	       /* of them, those with at least one Python frame */
	uint64_t ends[WP_PYTHON_ENDS]; /* of them: how their Python frames ended */
	uint64_t early;		       /* of them: taken before its interpreter was known */
	uint64_t lost;		       /* of them: their Python frames never came */
	uint64_t unresolved;	       /* frames whose code object is not known */
	uint64_t codes_refused;	       /* code objects that came when too many were known */
	uint64_t tasks_unknown;	       /* of them: who awaits a task could not be told */
	uint64_t tasks_cut;	       /* of them: more await than a walk follows */
};

/* So that the answer is on the first screen. */
#define WP_PYTHON_TEXT_ROWS 10

struct wp_python_report {
	const char *transport;	      /* how frames were read: "bpf", "pinned", "replay" */
	const struct wp_spots *spots; /* sorted; `thread` is a tid */
	const struct wp_symbol_set *symbols;
	struct wp_python_counts counts;
	const struct wp_thread_names *threads; /* NULL: not split by thread */
	uint64_t rows;			       /* of each table of JSON and CSV, at most */
	uint64_t text_rows;	   /* of each table of an event with Python frames, in text */
	bool native_first;	   /* native tables come before those of Python */
	const char *symbol_filter; /* NULL: all */
	/* The text of a source line, without indentation; NULL when it cannot be had. It is asked
	 * for lines that are shown only. NULL: no source is shown. */
	const char *(*source)(void *arg, const char *file, uint32_t line);
	void *source_arg;
};

/* True when at least a tenth of the event's samples have Python frames: it is Python that the user
 * asks about. Of a whole machine that is rarely so. */
bool wp_python_doc_matters(const struct wp_python_report *report, uint32_t event);
/* Appends one event's `python_functions`, `python_lines` and `python_own` (and `python_threads`)
 * for JSON and CSV. */
void wp_python_doc_data(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report, uint32_t event);
/* Appends their text under headlines; nothing when there are no Python frames. is_first: no empty
 * line before the first headline. */
void wp_python_doc_text(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report, uint32_t event, const char *name,
			bool is_first);
/* Says how many rows a table has besides those it shows. */
void wp_python_doc_more(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report, uint64_t rows, uint64_t shown);
/* What is wrong with Python frames that end so (enum wp_python_end); NULL: nothing. */
const char *wp_python_fault(uint32_t end);
/* Appends `python`: how many samples had Python frames, and what is missing. */
void wp_python_doc_head(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report);
/* Appends how many samples had Python frames, and what is missing, as a line of text. */
void wp_python_doc_note(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_python_report *report);

#endif
