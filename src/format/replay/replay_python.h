/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_python: the Python code of a replay script: interpreters, code objects, and the frames of
 * `sample` lines. docs/replay.md has the grammar.
 *
 * Format stage, pure. What comes out is what a walker brings back from a process: slots, and CODE
 * records with strings and line tables as they lie in memory, so that a script goes the whole way.
 */
#ifndef WP_REPLAY_PYTHON_H
#define WP_REPLAY_PYTHON_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "core/record.h"
#include "format/python/python_lines.h"

/* One `python` line: an interpreter in a process. */
struct wp_replay_python {
	uint32_t pid;
	uint32_t flags;	  /* as in struct wp_python_plan */
	uint32_t version; /* as in struct wp_python_bytecode */
	enum wp_python_lines_form lines;
	uint64_t start, len; /* of its evaluation loop; len 0: not told */
};

/* One `pycode` line, for frames to name. */
struct wp_replay_pycode {
	const char *name; /* the qualified one if it has one */
	uint64_t addr;
	uint32_t id;
};

/* A source line of a file that exists only in the script. */
struct wp_replay_pytext {
	const char *file;
	uint32_t line;
	const char *text;
};

/* "3.11" to what a walker's plan and the line tables of that version are like. */
struct wp_err *wp_replay_python_version(const char *text,
					struct wp_replay_python *ret) WP_MUST_CHECK;
/* UTF-8 as CPython keeps it: one, two or four bytes per character; with BYTES_NAMES as it is. */
struct wp_code_text wp_replay_python_text(const char *utf8, uint32_t flags, struct wp_arena *arena);
/* "0:3,8:4,20:0": from which offset on which line (0: none), as a line table of 3.11 or newer. */
struct wp_err *wp_replay_python_lines(const char *pairs, const struct wp_replay_python *python,
				      struct wp_arena *arena,
				      struct wp_record_code *code) WP_MUST_CHECK;
/*
 * "thread/held,fib+8,main+2,mark/0x7ffc0010", innermost first. Frames name one of the n codes, the
 * last one of that name; or they are an address, "0x9000+8".
 */
struct wp_err *wp_replay_python_slots(const char *text, const struct wp_replay_pycode *codes,
				      size_t n, struct wp_arena *arena,
				      struct wp_stack_raw *ret) WP_MUST_CHECK;

#endif
