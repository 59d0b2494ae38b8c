/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_lines: the line tables of CPython's code objects, one decoder per form.
 *
 * Format stage: pure, bounded by the table's length. Sources: Objects/lnotab_notes.txt (3.10 and
 * older), Objects/locations.md (3.11; InternalDocs/code_objects.md since 3.14). Every form is a row
 * of ranges of bytecode whose ends only grow, so a long table can be entered in its middle.
 */
#ifndef WP_PYTHON_LINES_H
#define WP_PYTHON_LINES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wp_python_lines_form {
	WP_PYTHON_LNOTAB_UNSIGNED, /* 2.7 to 3.5: line increments 0 to 255 */
	WP_PYTHON_LNOTAB_SIGNED,   /* 3.6 to 3.9 */
	WP_PYTHON_LINETABLE,	   /* 3.10: ranges, some without a line */
	WP_PYTHON_LOCATIONS,	   /* 3.11 and newer */
};

/* A place between two entries: what the entries before it add up to. */
struct wp_python_lines_mark {
	uint32_t pos; /* of the next entry in the table */
	uint32_t end; /* bytes of bytecode before it */
	int32_t line;
};

struct wp_python_lines {
	enum wp_python_lines_form form;
	uint32_t first_line; /* co_firstlineno, an int */
	const uint8_t *bytes;
	size_t n;
	const struct wp_python_lines_mark *marks; /* of wp_python_lines_index(); none is fine */
	size_t n_marks;
};

/*
 * The line of the instruction at a byte offset, as PyCode_Addr2Line() gives it; 0 when it has none
 * (artificial instructions) or the table does not say. A negative offset (a frame that has not
 * begun) is in the first line.
 */
uint32_t wp_python_lines_at(const struct wp_python_lines *table, int64_t lasti);
/* Bytes of bytecode that the table's entries cover. */
uint64_t wp_python_lines_end(const struct wp_python_lines *table);
/*
 * Lays marks into a long table, so that a lookup reads a few entries instead of half of them on
 * average. They cost at most a third of the table's size and belong to the arena.
 */
void wp_python_lines_index(struct wp_python_lines *table, struct wp_arena *arena);

#endif
