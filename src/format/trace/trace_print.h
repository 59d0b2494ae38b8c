/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_print: what the kernel would print of a tracepoint's hit, by libtraceevent.
 *
 * Format stage; the only file that knows the library. In: descriptions that trace_text has read,
 * of which trace_gate lets through what cannot harm. The library's warnings go nowhere.
 */
#ifndef WP_TRACE_PRINT_H
#define WP_TRACE_PRINT_H

#include "base/str.h"
#include "format/trace/trace_text.h"

struct wp_trace_print;

/* The name of a function of the kernel, for %pS; NULL: not known. May change *addr to where the
 * function begins. */
typedef const char *wp_trace_function(void *arg, uint64_t *addr);

/* NULL: this build does without the library. */
struct wp_trace_print *wp_trace_print_new(uint8_t long_bytes, uint32_t page_bytes);
/* False: it cannot be printed as the kernel would. */
bool wp_trace_print_add(struct wp_trace_print *print, const char *system,
			const struct wp_trace_description *description);
/* A string of the kernel, which payloads point to. */
void wp_trace_print_string(struct wp_trace_print *print, uint64_t addr, const char *text);
void wp_trace_print_functions(struct wp_trace_print *print, wp_trace_function *find, void *arg);
/* Appends the text of a payload of an event that was added. */
void wp_trace_print_put(struct wp_trace_print *print, uint32_t id, uint32_t cpu,
			const uint8_t *payload, size_t bytes, struct wp_str *out);
void wp_trace_print_free(struct wp_trace_print *print);

#endif
