/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_debug_offsets: _Py_DebugOffsets, with which CPython 3.13 and newer describe themselves at
 * the beginning of _PyRuntime.
 *
 * Runtime stage, private to python_*.c; pure. The record has another shape in every minor version,
 * so only shapes that are known are read, and every offset is held against the size of its
 * structure that stands in the same record. Source: Include/internal/pycore_debug_offsets.h (3.13:
 * pycore_runtime.h).
 */
#ifndef WP_PYTHON_DEBUG_OFFSETS_H
#define WP_PYTHON_DEBUG_OFFSETS_H

#include "base/err.h"
#include "core/python_plan.h"
#include "runtime/python_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_PYTHON_DEBUG_OFFSETS_MAX 1024 /* bytes; the largest known shape is smaller */

struct wp_python_debug_offsets {
	uint32_t version; /* as Py_Version */
	bool free_threaded;
	/* In _PyRuntime; keys (of Py_tss_t's _key, on Linux and on Windows): 0 where there is none.
	 */
	uint32_t runtime_interpreters, runtime_key, runtime_windows_key;
	struct wp_python_plan plan; /* offsets and flags */
	struct wp_python_dict_layout dicts;
};

/* True when the bytes begin with the cookie. *ret_version: what the record says of itself. */
bool wp_python_debug_offsets_is(const void *bytes, size_t n, uint32_t *ret_version);
/* Reads a record that has the cookie. An error: a version or a shape that is not known, offsets
 * that cannot be. */
struct wp_err *wp_python_debug_offsets_read(const void *bytes, size_t n,
					    struct wp_python_debug_offsets *ret) WP_MUST_CHECK;

#endif
