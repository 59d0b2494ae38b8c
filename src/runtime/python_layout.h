/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_layout: where the versions without _Py_DebugOffsets (2.7, 3.6 to 3.12) keep what a walk
 * needs.
 *
 * Runtime stage, private to python_*.c. One row per minor version (and per patch where it differs),
 * for x86-64 and AArch64. PyObject's head is two words longer in builds that trace references
 * (--with-trace-refs; Py_DEBUG too up to 3.7), which moves every field of an object, but none of
 * the thread state, the interpreter or the 3.11+ frame.
 */
#ifndef WP_PYTHON_LAYOUT_H
#define WP_PYTHON_LAYOUT_H

#include "core/python_plan.h"
#include "format/python/python_lines.h"
#include "runtime/python_names.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_python_layout {
	uint32_t from, to; /* versions as Py_Version, both included */
	enum wp_python_lines_form lines;
	uint16_t code_basic;	/* tp_basicsize of PyCode_Type */
	uint16_t code_code;	/* co_code, a bytes object; 3.11 and newer: 0 */
	uint16_t eval_prologue; /* bytes, at most; 3.11 and 3.12 */
	/* Offsets in _PyRuntime (3.7 and newer). AArch64's pthread_mutex_t is 8 bytes longer than
	 * x86-64's, and two of them stand before the latter two up to 3.11. */
	uint16_t runtime_interpreters, runtime_current, runtime_key;
	uint16_t aarch64_shift;
	struct wp_python_dict_layout dicts;
	struct wp_python_plan plan; /* offsets and flags; no addresses */
};

/* NULL for versions that have no row: unknown ones, and 3.13 and newer. */
const struct wp_python_layout *wp_python_layout_of(uint32_t version);
/* Moves the fields of objects by the longer head. */
void wp_python_layout_trace_refs(struct wp_python_plan *plan);

#endif
