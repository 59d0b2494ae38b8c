/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perfdata_notes: what our recordings say besides perf's records: Python functions and names of
 * threads, and what a sample's call chain cannot tell.
 *
 * Format stage, pure. They are records of type HEADER_EVENT_TYPE, which perf reads past by contract
 * since 2011 (files of that age have them), so that they lie among the others and are there after a
 * crash. A Python frame in a call chain is an address far above all user space: a function's number
 * and a line of it (wp_perfdata_python_address()); the same numbers are symbols and lines of the
 * image next to the recording (python_image.h), which is for stock tools only.
 */
#ifndef WP_PERFDATA_NOTES_H
#define WP_PERFDATA_NOTES_H

#include "base/bytes.h"
#include "base/str.h"
#include "core/stack.h"

#define WP_PERFDATA_NOTE_TYPE 65 /* PERF_RECORD_HEADER_EVENT_TYPE */

/* Where the image of Python functions is mapped: x86-64 and arm64 have no user space there. */
#define WP_PERFDATA_PYTHON_BASE	    (UINT64_C(1) << 57)
#define WP_PERFDATA_PYTHON_BYTES    (UINT64_C(1) << 42)
#define WP_PERFDATA_PYTHON_FUNCTION (UINT64_C(1) << 20) /* bytes of a function: */
#define WP_PERFDATA_PYTHON_LINE	    16u			/* so many for each of its 65536 lines */
#define WP_PERFDATA_PYTHON_MAX	    (1u << 22)		/* functions' numbers: 1 and more */

#define WP_PERFDATA_TEXT_MAX 16384 /* bytes of a text; longer ones are cut */

/* A function, or 65536 lines of a longer one. */
struct wp_perfdata_function {
	uint32_t number;
	uint32_t first_line; /* of the function */
	uint32_t line_base;  /* what lines count from */
	const char *name;    /* borrowed; NULL: its code object is not known */
	const char *file;    /* borrowed; may be "" */
};

/* The run that was recorded; said at its end. Strings are borrowed and may be "". */
struct wp_perfdata_run {
	uint32_t image_pid;	/* 0: there is no main program */
	const char *image_path; /* of its main program */
	const char *host;
	bool has_sources; /* paths are those that we see, relative ones below cwd */
	int64_t began;	  /* seconds since 1970; files that are younger have other lines */
	const char *cwd;
	const char *owners; /* core/owner.h, whose code it is; "": not known */
};

/* What a thread is called in its program, from that time on. */
struct wp_perfdata_name {
	uint32_t pid, tid;
	uint64_t time_ns;
	const char *name; /* borrowed */
};

enum wp_perfdata_note_kind {
	WP_PERFDATA_NOTE_NONE, /* damaged, or none of ours */
	WP_PERFDATA_NOTE_FUNCTION,
	WP_PERFDATA_NOTE_SAMPLE,
	WP_PERFDATA_NOTE_FRAMES,
	WP_PERFDATA_NOTE_REST, /* in `frames` */
	WP_PERFDATA_NOTE_RUN,
	WP_PERFDATA_NOTE_NAME,
};

struct wp_perfdata_note {
	enum wp_perfdata_note_kind kind;
	struct wp_perfdata_function function;
	struct wp_stack_note sample;
	struct wp_perfdata_run run;
	struct wp_perfdata_name name;
	const uint8_t *frames; /* little-endian addresses, unaligned */
	size_t n_frames;
};

/* In the middle of the line's bytes, since some tools look up callers one byte before. */
static inline uint64_t wp_perfdata_python_address(uint32_t number, uint32_t line_offset)
{
	return WP_PERFDATA_PYTHON_BASE + number * WP_PERFDATA_PYTHON_FUNCTION +
	       line_offset * UINT64_C(16) + 8;
}

/* The function's number and the line from its line_base; false for any other address. */
static inline bool wp_perfdata_python_parts(uint64_t address, uint32_t *ret_number,
					    uint32_t *ret_line_offset)
{
	uint64_t at = address - WP_PERFDATA_PYTHON_BASE;

	*ret_number = (uint32_t)(at / WP_PERFDATA_PYTHON_FUNCTION);
	*ret_line_offset = (uint32_t)(at % WP_PERFDATA_PYTHON_FUNCTION / WP_PERFDATA_PYTHON_LINE);
	return at < WP_PERFDATA_PYTHON_BYTES;
}

/* Strings of more than 16 KB are cut. Comes before the first sample that has its addresses. */
void wp_perfdata_put_function(struct wp_str *out, const struct wp_perfdata_function *function);
/* Comes right before its sample. */
void wp_perfdata_put_sample_note(struct wp_str *out, const struct wp_stack_note *note);
/*
 * The Python frames of the next sample in the order in which they were read, where its call chain
 * has another one or not all of them. Any number.
 */
void wp_perfdata_put_frames(struct wp_str *out, const uint64_t *frames, size_t n);
/* What the next sample's record has no room for of its call chain. Any number. */
void wp_perfdata_put_rest(struct wp_str *out, const uint64_t *frames, size_t n);
void wp_perfdata_put_run(struct wp_str *out, const struct wp_perfdata_run *run);
void wp_perfdata_put_name(struct wp_str *out, const struct wp_perfdata_name *name);
/* Reads the body of a record of WP_PERFDATA_NOTE_TYPE. */
struct wp_perfdata_note wp_perfdata_note_read(struct wp_bytes body);

#endif
