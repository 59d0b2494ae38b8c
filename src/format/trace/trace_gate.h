/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_gate: which `print fmt` of a tracepoint may be handed to the library that prints.
 *
 * Format stage, pure. Recordings come from strangers, and the library believes them: where the text
 * makes no sense to it, it frees what it still uses; it divides by what a payload has, reads as
 * many elements as it says, and makes room for any width. So only what is well-formed goes there:
 *
 *	print:   "format" {, value}
 *	value:   unary {operator unary} [? value : value]
 *	unary:   {- ! ~ +} ( number | 'c' | "text" | (type) unary | (value) | REC->field [ [number]
 *] | function(...) | sizeof(type) )
 *
 * with fields that there are, functions that the library has, divisors that are numbers, and counts
 * of elements that are small.
 */
#ifndef WP_TRACE_GATE_H
#define WP_TRACE_GATE_H

#include "core/field.h"

/* Bytes behind a payload that the library may look at all the same: where a u32 of the payload
 * leads, and elements of 8 bytes, as many as a u16 says. */
#define WP_TRACE_GATE_BEHIND ((size_t)8 * 65536 + 2 * 65536)

bool wp_trace_gate_passes(const char *print, const struct wp_fields *fields);

#endif
