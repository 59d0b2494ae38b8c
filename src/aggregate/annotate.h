/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * annotate: source lines of hot functions and how often each was hit, as plain data.
 *
 * Aggregate stage. In: hits of addresses that somebody found the line of. Out: per function, lines
 * by hits. Line 15732480 (0xf00f00) is what compilers for Windows call hidden; ELF has none.
 */
#ifndef WP_ANNOTATE_H
#define WP_ANNOTATE_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdint.h>

struct wp_annotate_instruction {
	uint64_t address; /* rva */
	const char *text; /* "mov      x0, x1" */
};

struct wp_annotate_line {
	const char *file;
	uint32_t line;
	uint64_t hits;
	uint64_t address; /* rva of the first hit instruction */
	WP_VEC(struct wp_annotate_instruction) instructions;
};

struct wp_annotate_function {
	uint32_t event;
	const char *name; /* as the hot table shows it */
	WP_VEC(struct wp_annotate_line) lines;
};

struct wp_annotation {
	struct wp_arena arena;
	WP_VEC(struct wp_annotate_function) functions;
};

/* The last function of the list; strings are copied. Valid until the next call. */
struct wp_annotate_function *wp_annotation_function(struct wp_annotation *annotation,
						    uint32_t event, const char *name);
/* Adds hits to the line of a function, made when it is new. */
void wp_annotate_hit(struct wp_annotation *annotation, struct wp_annotate_function *function,
		     const char *file, uint32_t line, uint64_t address, uint64_t hits);
/* The function's line, or NULL when it has no hits. */
struct wp_annotate_line *wp_annotate_find(struct wp_annotate_function *function, const char *file,
					  uint32_t line);
/* Lines by hits descending, then by file and line. */
void wp_annotate_sort(struct wp_annotate_function *function);
void wp_annotation_deinit(struct wp_annotation *annotation);

#endif
