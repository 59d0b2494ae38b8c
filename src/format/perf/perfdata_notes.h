/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perfdata_notes: what our recordings say besides perf's records: Python functions and names of
 * threads, and what a sample's call chain cannot tell.
 *
 * Format stage, pure. They are records of type HEADER_EVENT_TYPE, which perf reads past since 2011
 * (files of that age have them), so that they lie among the others and are there after a crash. New
 * perf warns of each that is shorter than those of 2011 were, so that a record has many notes, and
 * at least that size; it stands before the samples that its notes are of. A Python frame in a call
 * chain is an address far above all user space: a function's number and a line of it
 * (wp_perfdata_python_address()); the same numbers are symbols and lines of the image next to the
 * recording (python_image.h), which is for stock tools only.
 *
 *	record: "WPns", 0 or 1 (goes on with the notes of the record before it), then notes
 *	note:   its bytes (a multiple of 4; 0: the rest is padding), four letters, what it says
 *
 * Recordings of wperf 0.1 and 0.2 have one note to a record, without these heads, and neither
 * instructions nor bytecode.
 */
#ifndef WP_PERFDATA_NOTES_H
#define WP_PERFDATA_NOTES_H

#include "base/bytes.h"
#include "base/str.h"
#include "base/vec.h"
#include "core/python_block_kind.h"
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

/* A field of an event is what its samples count for: their periods. */
struct wp_perfdata_weight {
	uint32_t event;	   /* its index among the file's */
	const char *field; /* borrowed */
};

/* What a code object's samples are of, in pieces that follow one another; said at the end. */
struct wp_perfdata_bytecode {
	uint32_t number;  /* as in struct wp_stack_instruction */
	uint32_t version; /* 0x030b: 3.11 */
	uint32_t form;	  /* of its line table: enum wp_python_lines_form */
	uint32_t first_line;
	uint32_t code_bytes, lines_bytes; /* bytecode, then line table */
	uint32_t from;			  /* where in both together the piece begins */
	uint32_t n;			  /* its bytes */
	const uint8_t *bytes;		  /* borrowed */
};

/*
 * Where a code object's bytecode lay in a process, as was seen from one time to another; said at
 * the end of recordings of Arm SPE, whose loads are looked up there.
 */
struct wp_perfdata_place {
	uint32_t number;   /* as in struct wp_stack_instruction */
	uint32_t function; /* its number */
	uint32_t pid, bytes;
	uint64_t start, first_ns, last_ns;
};

/* A type of Python objects; said at the end, before the blocks that have its number. */
struct wp_perfdata_type {
	uint32_t number;
	const char *name; /* borrowed */
};

#define WP_PERFDATA_NO_TYPE UINT32_MAX

/*
 * A block of pymalloc that samples touched, as it was seen from one to another; said at the end. It
 * was read up to late_ns after them.
 */
struct wp_perfdata_block {
	uint32_t pid, bytes;
	enum wp_python_block_kind kind;
	uint32_t type; /* its number, or WP_PERFDATA_NO_TYPE */
	uint64_t start, first_ns, last_ns, late_ns;
};

enum wp_perfdata_note_kind {
	WP_PERFDATA_NOTE_NONE,	  /* damaged */
	WP_PERFDATA_NOTE_FOREIGN, /* none of ours: a name of an event, of a perf of 2011 */
	WP_PERFDATA_NOTE_SET,	  /* notes */
	WP_PERFDATA_NOTE_FUNCTION,
	WP_PERFDATA_NOTE_SAMPLE,
	WP_PERFDATA_NOTE_FRAMES,
	WP_PERFDATA_NOTE_REST, /* in `frames` */
	WP_PERFDATA_NOTE_RUN,
	WP_PERFDATA_NOTE_NAME,
	WP_PERFDATA_NOTE_WEIGHT,
	WP_PERFDATA_NOTE_INSTRUCTIONS, /* in `frames`: codes and lastis */
	WP_PERFDATA_NOTE_BYTECODE,
	WP_PERFDATA_NOTE_PLACE,
	WP_PERFDATA_NOTE_OBJECT_TYPE,
	WP_PERFDATA_NOTE_BLOCK,
};

struct wp_perfdata_note {
	enum wp_perfdata_note_kind kind;
	struct wp_perfdata_function function;
	struct wp_stack_note sample;
	uint32_t samples; /* so many that come next have it */
	struct wp_perfdata_run run;
	struct wp_perfdata_name name;
	struct wp_perfdata_weight weight;
	struct wp_perfdata_bytecode bytecode;
	struct wp_perfdata_place place;
	struct wp_perfdata_type type;
	struct wp_perfdata_block block;
	struct wp_bytes set;   /* for wp_perfdata_note_next() */
	bool goes_on;	       /* the set is not a new one */
	const uint8_t *frames; /* little-endian words of 8 bytes, unaligned */
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

/* Notes that are to be written; all-zero is empty. */
struct wp_perfdata_notes {
	struct wp_str bytes;
	size_t sample; /* where the last one says what it does, if it is a sample's; 0: it is not */
	WP_VEC(struct wp_stack_instruction) instructions; /* one for each sample's note */
	bool has_instruction;				  /* one of them is one */
};

static inline size_t wp_perfdata_notes_bytes(const struct wp_perfdata_notes *notes)
{
	return notes->bytes.len + notes->instructions.n * sizeof(*notes->instructions.v);
}

/* As soon as there are so many bytes of notes, they should be written: a record has room for them.
 */
#define WP_PERFDATA_NOTES_ENOUGH ((size_t)24 << 10)

/* Strings of more than 16 KB are cut. Comes before the first sample that has its addresses. */
void wp_perfdata_put_function(struct wp_perfdata_notes *out,
			      const struct wp_perfdata_function *function);
/*
 * In the order of the samples, one for each; their instructions are put before all notes of the
 * same records.
 */
void wp_perfdata_put_sample_note(struct wp_perfdata_notes *out, const struct wp_stack_note *note);
/*
 * The Python frames of the next sample in the order in which they were read, where its call chain
 * has another one or not all of them. Any number.
 */
void wp_perfdata_put_frames(struct wp_perfdata_notes *out, const uint64_t *frames, size_t n);
/* What the next sample's record has no room for of its call chain. Any number. */
void wp_perfdata_put_rest(struct wp_perfdata_notes *out, const uint64_t *frames, size_t n);
/* Texts but the owners are cut behind 8 KB. */
void wp_perfdata_put_run(struct wp_perfdata_notes *out, const struct wp_perfdata_run *run);
void wp_perfdata_put_name(struct wp_perfdata_notes *out, const struct wp_perfdata_name *name);
void wp_perfdata_put_weight(struct wp_perfdata_notes *out, const struct wp_perfdata_weight *weight);
/* The whole of it: from is 0 and n what both sizes add up to; cut into pieces. */
void wp_perfdata_put_bytecode(struct wp_perfdata_notes *out,
			      const struct wp_perfdata_bytecode *bytecode);
void wp_perfdata_put_place(struct wp_perfdata_notes *out, const struct wp_perfdata_place *place);
void wp_perfdata_put_type(struct wp_perfdata_notes *out, const struct wp_perfdata_type *type);
void wp_perfdata_put_block(struct wp_perfdata_notes *out, const struct wp_perfdata_block *block);
/* Appends the records that have all of these notes, and empties them. Nothing without notes. */
void wp_perfdata_put_notes(struct wp_str *out, struct wp_perfdata_notes *notes);
void wp_perfdata_notes_deinit(struct wp_perfdata_notes *notes);

/* Reads the body of a record of WP_PERFDATA_NOTE_TYPE, or of a note in one. */
struct wp_perfdata_note wp_perfdata_note_read(struct wp_bytes body);
/* The body of the next note of a set; false when there is none, and then set->failed when it is
 * damaged. */
bool wp_perfdata_note_next(struct wp_bytes *set, struct wp_bytes *ret_body);
/* A body as a record of its own (of 0.2's form), which has its turn in a queue; appends. */
void wp_perfdata_put_single(struct wp_str *out, struct wp_bytes body);

#endif
