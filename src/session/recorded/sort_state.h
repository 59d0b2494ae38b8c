/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_state: what a report by keys keeps, for its keys (sort_keys.h) and itself (report_sort.h).
 */
#ifndef WP_SORT_STATE_H
#define WP_SORT_STATE_H

#include "aggregate/sorted.h"
#include "base/strpool.h"
#include "core/sink.h"
#include "session/live/sampling_image.h"
#include "session/recorded/cgroup_names.h"
#include "session/recorded/decoded_codes.h"

#define WP_SORT_NONE  UINT32_MAX
#define WP_SORT_FIELD "field:" /* and the name of a field: wp_report_sort.fields */

struct wp_event_set;
struct wp_python_touches;
struct wp_recording_notes;
struct wp_session_options;
struct wp_sort_key;
struct wp_thread_names;
struct wp_traced_python;

/* Where a branch begins or ends. */
struct wp_sort_end {
	uint32_t symbol;
	struct wp_rva rva;
};

/* What a sample, a frame of its stack, or a branch before it is asked about. */
struct wp_sort_at {
	const struct wp_record *sample;
	uint32_t symbol;
	struct wp_rva rva;
	struct wp_spot_frame python; /* the innermost Python frame at or outside of it */
	struct wp_stack_instruction instruction; /* that it is at */
	bool has_python, is_python;		 /* is_python: it is that frame itself */
	bool no_instruction;			 /* of that frame only the line is known */
	bool is_wait;				 /* the sample is of offcpu-time */
	const struct wp_branch *branch;		 /* NULL: it is none; its ends: */
	struct wp_sort_end from, to;
	const char *field; /* of the key that asks: see WP_SORT_FIELD */
};

/* What it asks about samples; all of it outlives it. */
struct wp_report_sort_parts {
	const struct wp_session_options *options;
	const struct wp_event_set *events;
	struct wp_resolver *resolver;
	const struct wp_source *source;		/* the recording */
	const struct wp_recording_notes *ahead; /* of it, where its end was read first; or NULL */
	const struct wp_thread_names *threads;
	const struct wp_sampling_image *image;
	const struct wp_idle_waits *idle; /* what was left out */
	unsigned int sp_bit;		  /* the stack pointer's in masks of registers */
	/* Who tells the Python lines of what was traced; NULL: nobody does. */
	const struct wp_traced_python *traced;
	struct wp_python_touches *touches; /* what its addresses are of Python's; may be empty */
};

/* Where a line is: in a Python file (a module of the symbol set), or in a source file (by its
 * string's id). */
struct wp_report_line {
	uint32_t of, line;
};

/* A place in bytecode, and how often it was asked about. */
struct wp_report_place {
	struct wp_stack_instruction at;
	uint64_t samples;
};

struct wp_report_lines {
	WP_VEC(struct wp_report_line) all; /* what the key counts */
	struct wp_map index_of;		   /* of and line -> index + 1 */
};

/* All-zero: nobody asked for it. */
struct wp_report_sort {
	struct wp_sink sink;
	struct wp_report_sort_parts of;
	const struct wp_sort_key *keys[WP_SORTED_KEYS];
	char *fields[WP_SORTED_KEYS]; /* of a key "field:NAME" the whole word; else NULL */
	size_t n;
	bool branches; /* rows are of the branches before samples, each counting 1, as with perf */
	struct wp_map branched; /* event -> samples that had branches */
	bool children;		/* samples count for all frames of their stacks too */
	bool self_first;	/* rows are sorted by what they cost by themselves */
	unsigned int needs;	/* what its keys need, together */
	uint64_t slice_ns, first_ns;
	bool began;
	bool met_unmapped; /* data of a program where nothing says what was mapped */
	struct wp_sorted sorted;
	struct wp_strpool strings; /* files, commands, fields */
	struct wp_cgroup_names cgroups;
	struct wp_report_lines lines, python_lines;
	WP_VEC(struct wp_report_place) places;
	struct wp_map place_of; /* of an instruction -> index in places + 1 */
	struct wp_decoded_codes codes;
	struct wp_map line_at; /* module and address, mixed -> index in lines + 1 */
};

#endif
