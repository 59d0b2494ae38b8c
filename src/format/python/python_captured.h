/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_captured: a captured code object (core/python_text.h), from bytes to the body of a CODE
 * record.
 *
 * Format stage, pure; everything is borrowed from the bytes.
 */
#ifndef WP_PYTHON_CAPTURED_H
#define WP_PYTHON_CAPTURED_H

#include "base/bytes.h"
#include "core/record.h"

/* False, and *ret untouched, when the bytes are too few or say nonsense. */
bool wp_python_captured_read(struct wp_bytes *b, struct wp_record_code *ret);

#endif
