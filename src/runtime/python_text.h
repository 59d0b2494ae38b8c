/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_text: a str as it lies in a process's memory becomes UTF-8 that may be shown.
 *
 * Runtime stage, pure. What a terminal would obey or what would turn its writing round (control
 * characters, marks of direction) and what is no character (lone surrogates, bytes that are not
 * UTF-8) is written as Python's repr() writes it: \x1b, \u202e, \udcff. A run of surrogates that
 * stands for undecodable bytes (PEP 383) is those bytes again.
 */
#ifndef WP_PYTHON_TEXT_H
#define WP_PYTHON_TEXT_H

#include "base/str.h"
#include "core/record.h"

#define WP_PYTHON_TEXT_MAX 4096 /* characters that are kept */

/* False when the parts of it contradict one another; `is_bytes`: 2.7's byte string. */
bool wp_python_text_is_sane(const struct wp_code_text *text, bool is_bytes);
/* Appends a sane text; "..." (U+2026) ends one that was not captured as a whole. */
void wp_python_text_put(struct wp_str *out, const struct wp_code_text *text, bool is_bytes);
/*
 * Appends a sane text as repr() writes it, in quotes, with escapes also for these, backslashes and
 * lone surrogates, bytes with a b in front; "..." behind the quotes of one that was not captured as
 * a whole.
 */
void wp_python_text_repr(struct wp_str *out, const struct wp_code_text *text, bool is_bytes);

#endif
