/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_code_count: where a CPython counts the code objects it makes, which
 * walk/python_known.inc.h has use for.
 *
 * Runtime stage, private to python_*.c. 3.12 has a variable of its own for it
 * (_Py_next_func_version); since 3.13 it is interp->func_state.next_version, of which nothing tells
 * the offset. But behind it stands a table of functions and code objects, in which each is found
 * under its number: where that is true of enough of them, the count is.
 */
#ifndef WP_PYTHON_CODE_COUNT_H
#define WP_PYTHON_CODE_COUNT_H

#include "core/memory.h"
#include "core/python_plan.h"

/* True when it has to be looked for in the process. version: as Py_Version. */
bool wp_python_code_count_is_kept(uint32_t version, const struct wp_python_plan *plan);
/*
 * The run-time address of the count in a process of such a version; 0: not found, or not yet: some
 * functions must have been made. The plan's addresses are run-time ones.
 */
uint64_t wp_python_code_count_find(const struct wp_python_plan *plan,
				   const struct wp_memory *memory);

#endif
