/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_text: a tracepoint's format file in tracefs, from text to a description of its fields.
 *
 * The format stage's reader of events/SYSTEM/NAME/format (Documentation/trace/events.rst), which
 * come from strangers with a recording. Pure.
 */
#ifndef WP_TRACE_TEXT_H
#define WP_TRACE_TEXT_H

#include "base/arena.h"
#include "base/str.h"
#include "core/field.h"

#define WP_TRACE_TEXT_MAX ((size_t)64 << 10) /* a file of Linux 6.18 has 6 KB at most */

struct wp_trace_description {
	uint32_t id; /* the event's config in perf_event_open(2) */
	const char *name;
	struct wp_fields fields;
	const char *lines; /* the fields' lines, each checked */
	const char *print; /* what the kernel would print: "format", arguments; "": not told */
};

/* In the arena. False when it is no such text, or has a field that no payload has room for. */
bool wp_trace_text_read(struct wp_arena *arena, const char *text, size_t bytes,
			struct wp_trace_description *ret);
/* The id alone; false when there is none. */
bool wp_trace_text_id(const char *text, size_t bytes, uint32_t *ret);
/* Appends the description as text again: what was read of it, and no more. */
void wp_trace_text_put(const struct wp_trace_description *description, struct wp_str *out);

#endif
