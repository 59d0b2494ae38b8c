/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_frame: a frame of a thread or a task in the document of `wperf dump`.
 *
 * Aggregate stage. In: a named frame. Out: lines of text, an object in JSON. Names are a
 * stranger's: in text they have no control characters.
 */
#ifndef WP_DUMP_FRAME_H
#define WP_DUMP_FRAME_H

#include "base/str.h"
#include "core/doc.h"
#include "core/profile.h"
#include "core/python_local.h"
#include "core/symbol.h"

/* Strings are borrowed until the call returns; NULL: not known. */
struct wp_dump_frame {
	enum wp_symbol_kind kind;
	const char *function;
	const char *module;		      /* of native code: the base name of its file */
	const char *path;		      /* the same with its folders */
	const char *file;		      /* of source */
	uint32_t line;			      /* 0: not known */
	uint64_t address;		      /* 0: of Python code, and inlined */
	const struct wp_python_local *locals; /* its variables */
	size_t n_locals;
};

/* A function at a place, with what its symbol says; address: 0 for Python code and what is inlined.
 * Borrows from both. */
struct wp_dump_frame wp_dump_frame_of(const struct wp_symbol_set *set,
				      const struct wp_profile_frame *point, uint64_t address);
/* Appends a line, and one for each of its variables. */
void wp_dump_frame_text(const struct wp_dump_frame *frame, struct wp_str *ret);
/* Adds an object to an array. */
void wp_dump_frame_json(struct wp_doc *doc, struct wp_node *frames,
			const struct wp_dump_frame *frame);
/* "0x7f00" */
void wp_dump_hex_json(struct wp_doc *doc, struct wp_node *parent, const char *key, uint64_t value);

#endif
