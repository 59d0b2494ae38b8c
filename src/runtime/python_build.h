/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_build: a CPython as its ELF file describes it: which version, where its roots are, how its
 * structures are laid out.
 *
 * Runtime stage. A build is read once per file (libpython or a program that contains it) and
 * becomes a walk plan for every process that maps it. 2.7, 3.6 to 3.12 come from tables
 * (python_layout.c), 3.13 and newer from _Py_DebugOffsets
 * (Include/internal/pycore_debug_offsets.h), every offset of which is checked against the size of
 * its structure. Nothing is guessed: an unknown version or offsets that make no sense are an error
 * with one line of text.
 */
#ifndef WP_PYTHON_BUILD_H
#define WP_PYTHON_BUILD_H

#include "base/err.h"
#include "base/vec.h"
#include "core/memory.h"
#include "core/python_plan.h"
#include "format/python/python_lines.h"
#include "runtime/python_eval.h"
#include "runtime/python_locals.h"
#include "runtime/python_names.h"

struct wp_python_build {
	uint32_t version; /* as Py_Version: 0x030b02f0 is 3.11.2 final; 2.7 and 3.6: 0x02070000 ...
			   */
	bool debug;	  /* Py_TRACE_REFS or <= 3.7 Py_DEBUG: objects have a longer head */
	bool free_threaded;
	enum wp_python_lines_form lines;
	uint16_t code_code; /* in a code object: the bytes object of its code; 0: the code is in it
			     */
	struct wp_python_plan layout; /* offsets and flags; its addresses are linked ones */
	struct wp_python_dict_layout dicts;
	struct wp_python_locals_layout locals;
	uint64_t cookie; /* 3.13 and newer: linked address of what _PyRuntime begins with; else 0 */
	struct wp_python_eval_loop eval;
};

/*
 * Reads an open ELF file. *ret is NULL when it holds no CPython, which is no error. An error: it
 * does, but one that cannot be walked (the text says which version and why). The caller frees.
 */
struct wp_err *wp_python_build_read(int fd, const char *path,
				    struct wp_python_build **ret) WP_MUST_CHECK;
void wp_python_build_free(struct wp_python_build *build);
/*
 * Whether what is mapped from that linked address on is the interpreter: it has the evaluation
 * loop. A libffi that is linked into it maps one page of the file once more, wherever there is
 * room, for each of its tables of closures.
 */
bool wp_python_build_runs_in(const struct wp_python_build *build, uint64_t start, uint64_t bytes);
/* "3.11.2", "3.13.0 free-threaded", "3.7.16 debug"; belongs to the build's caller: free(). */
char *wp_python_build_name(const struct wp_python_build *build);

/* What a libc says of its threads; all-zero: nothing (then thread states are found by their list).
 */
struct wp_python_libc {
	int32_t tsd, thread_id_bias, tid; /* as in the plan */
};

/* True when the file is a libc that tells. glibc: _thread_db_pthread_specific,
 * _thread_db_pthread_tid and _thread_db_sizeof_pthread of .dynsym. */
bool wp_python_libc_read(int fd, struct wp_python_libc *ret);

/*
 * The plan for a process that maps the build with that delta (run-time minus linked address). libc
 * may be NULL. The memory is read to check what can be checked (_PyRuntime's cookie, the key).
 */
struct wp_err *wp_python_build_plan(const struct wp_python_build *build, uint64_t delta,
				    const struct wp_python_libc *libc,
				    const struct wp_memory *memory,
				    struct wp_python_plan *ret) WP_MUST_CHECK;
/*
 * Looks once more for what an interpreter that had just begun did not tell yet: its count of code
 * objects. True when the plan has it.
 */
bool wp_python_build_find_count(const struct wp_python_build *build, const struct wp_memory *memory,
				struct wp_python_plan *plan);

#endif
