/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_text: strings and numbers as JSON has them (RFC 8259), for views that write JSON.
 *
 * Whatever the bytes of a string are, the output is valid UTF-8 and valid JSON: bytes that are not
 * UTF-8 become U+FFFD, control characters are escaped.
 */
#ifndef WP_JSON_TEXT_H
#define WP_JSON_TEXT_H

#include "base/writer.h"

#include <stdbool.h>
#include <stdint.h>

/* The characters of a string without the quotes, with `space` in place of blanks. */
void wp_json_chars(struct wp_writer *out, const char *text, char space);
void wp_json_string(struct wp_writer *out, const char *text);
/* A number that is short and often written: wp_writer_printf() would take most of the time. */
void wp_json_u64(struct wp_writer *out, uint64_t number);
/* Nanoseconds in a unit of 10^digits of them, without a loss: 1500 with 3 digits is 1.5. */
void wp_json_ns(struct wp_writer *out, uint64_t ns, unsigned int digits);

/* The elements of an array: a comma before each but the first. `any` is false before that. */
void wp_json_comma(struct wp_writer *out, bool *any);

#endif
