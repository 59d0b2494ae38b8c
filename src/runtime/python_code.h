/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_code: the code objects of a run: names, files and lines of Python frames.
 *
 * Runtime stage. In: CODE records (captured at first sight, so that a code object that is freed or
 * a process that ends loses nothing), or, where none came, the memory of the process. A frame names
 * its code object by address and identity, under the plan's generation.
 */
#ifndef WP_PYTHON_CODE_H
#define WP_PYTHON_CODE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/strpool.h"
#include "core/budget.h"
#include "core/memory.h"
#include "core/record.h"
#include "format/python/python_lines.h"

#define WP_PYTHON_CODES_MAX (1u << 20)

/* Samples hit the same few instructions of a code object again and again. */
#define WP_PYTHON_CODE_SEEN 8

struct wp_python_code {
	const char *name;     /* UTF-8; qualified where the version knows it; never NULL */
	const char *filename; /* as co_filename says; never NULL */
	struct wp_python_lines lines;
	bool lines_cut;	 /* the table is longer than what was captured */
	bool asked;	 /* the process was asked for it: once is enough */
	bool is_shim;	 /* the interpreter's own, which no traceback shows */
	uint32_t symbol; /* the owner's word: its id in the symbol set; UINT32_MAX at first */
	uint32_t number; /* another one: struct wp_stack_instruction's; 0 at first */
	uint64_t addr;
	uint64_t lines_end; /* bytes of bytecode that the captured part of the table covers */
	uint32_t id, generation, next; /* next: the next one with the same hash + 1, or 0 */
	struct {
		int32_t lasti;
		uint32_t line_1; /* line + 1, or 0: empty */
	} seen[WP_PYTHON_CODE_SEEN];
};

/* All-zero is empty, without a bound. */
struct wp_python_codes {
	struct wp_budget *budget; /* borrowed; what is kept is taken from it */
	struct wp_map by_key;
	WP_VEC(struct wp_python_code) all;
	struct wp_strpool texts; /* a file name is that of many code objects */
	struct wp_arena arena;	 /* tables */
	uint64_t table_bytes;	 /* taken for tables, also of code that is not known any more */
	uint64_t malformed;	 /* records that contradict themselves */
	uint64_t refused;	 /* code objects that found no room */
};

/*
 * Takes in a CODE record found with a plan of these flags and that form of line tables. What cannot
 * be read of it is named "???", as CPython's faulthandler does. A code object that is known is only
 * completed: a table that was cut, a name that could not be read. One that says something else is
 * another one with the same address and id, which frames from now on are in.
 */
void wp_python_codes_add(struct wp_python_codes *codes, const struct wp_record_code *record,
			 uint32_t plan_flags, enum wp_python_lines_form form);
/* NULL when it never came. Valid until the next add. */
struct wp_python_code *wp_python_codes_find(struct wp_python_codes *codes, uint32_t generation,
					    uint64_t addr, uint32_t id);
/* The line of a frame's instruction; 0: none. Never past what was captured. */
uint32_t wp_python_code_line(struct wp_python_code *code, int32_t lasti);
/*
 * Reads a code object that no record came for (or whose table was cut) from the process, if it is
 * still the one with that id. False when it is not, or was asked for already.
 */
bool wp_python_codes_read(struct wp_python_codes *codes, const struct wp_memory *memory,
			  const struct wp_python_plan *plan, enum wp_python_lines_form form,
			  uint64_t addr, uint32_t id);
/*
 * Reads the bytecode of the code object with that id out of a process, at most
 * WP_PYTHON_BYTECODE_MAX bytes of it, as it is now: of 3.11 and newer with the forms that its
 * instructions have. code_code as in struct wp_python_build. *ret_at is where it lies. False: it is
 * gone, or longer.
 */
bool wp_python_code_read_bytecode(const struct wp_memory *memory, const struct wp_python_plan *plan,
				  uint16_t code_code, uint64_t addr, uint32_t id,
				  struct wp_str *ret, uint64_t *ret_at);
/* Forgets the code objects of all generations that are not in the map. */
void wp_python_codes_keep(struct wp_python_codes *codes, const struct wp_map *generations);
void wp_python_codes_deinit(struct wp_python_codes *codes);

#endif
