/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_code: a Python code object as a reader captures it for the main thread: one message.
 *
 * Source stage. What WP_RECORD_CODE says, copied out of the process's memory while the object still
 * lives: names and the line table, as they lie there.
 */
#ifndef WP_PINNED_CODE_H
#define WP_PINNED_CODE_H

#include "base/vec.h"
#include "core/memory.h"
#include "core/record.h"

#define WP_PINNED_TEXT_MAX  4096	 /* bytes of a name */
#define WP_PINNED_LINES_MAX (256 * 1024) /* bytes of a line table */

/* A code object as a walk met it: where its parts are. */
struct wp_pinned_code {
	uint64_t addr, name, qualname, filename, lines;
	uint32_t id, first_line;
	uint32_t plan;	 /* index in its process */
	uint32_t rest;	 /* of its id: another code object that has the same one has another */
	uint64_t number; /* of an asyncio task (WP_PYTHON_TASK_BIT): what stands in lines_len */
};

struct wp_pinned_text {
	uint32_t width, length, n; /* struct wp_code_text */
};

/* The head of a message; the bytes of name, qualname, filename and the table follow. */
struct wp_pinned_code_head {
	uint64_t time_ns; /* of the sample it was met in */
	uint32_t pid, tid;
	uint64_t addr;
	uint32_t id, generation, first_line;
	struct wp_pinned_text texts[3];
	uint32_t lines_captured;
	uint64_t lines_len;
};

struct wp_pinned_bytes {
	WP_VEC(uint8_t) v;
};

/*
 * Fills in the parts of *ret that are read, and appends their bytes to *data. What cannot be read
 * is left empty: width 0, no lines.
 */
void wp_pinned_code_capture(const struct wp_memory *memory, const struct wp_python_plan *plan,
			    const struct wp_pinned_code *code, struct wp_pinned_code_head *ret,
			    struct wp_pinned_bytes *data);
/* The message's record; it points into the message. False: too short for what it says. */
bool wp_pinned_code_record(const void *message, size_t n, struct wp_record *ret);

#endif
