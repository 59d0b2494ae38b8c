/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script_text: one sample with its stack as `perf script` prints it, or as JSON, for `wperf
 * script`.
 *
 * View stage. In: a sample whose frames have names. Out: a line about it, then a line for each
 * frame, innermost first, then an empty one. Tools that read perf's text read this one too. JSON is
 * one object in one line.
 */
#ifndef WP_SCRIPT_TEXT_H
#define WP_SCRIPT_TEXT_H

#include "base/writer.h"
#include "view/script_sample.h"

#include <stdbool.h>
#include <stddef.h>

const char *wp_script_field_name(enum wp_script_field field);
/*
 * Reads a list of names ("comm,tid,ip"), or of changes to the default ones ("+srcline,-cpu"); NULL:
 * the default ones.
 */
struct wp_err *wp_script_fields_parse(const char *text, uint32_t *ret) WP_MUST_CHECK;
void wp_script_text(const struct wp_script_sample *sample, uint32_t fields, struct wp_writer *out);
void wp_script_json(const struct wp_script_sample *sample, uint32_t fields, struct wp_writer *out);

#endif
