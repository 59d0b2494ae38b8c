/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_events: the tracepoints of a run or recording, by number: their names, their fields and
 * what the kernel would print of a hit.
 *
 * Format stage. In: TRACING_DATA (trace_data), as a recording has it or as it was made for the
 * running kernel. Of many thousand descriptions only those that are asked for are read.
 */
#ifndef WP_TRACE_EVENTS_H
#define WP_TRACE_EVENTS_H

#include "format/trace/trace_data.h"
#include "format/trace/trace_print.h"

struct wp_trace_event {
	const char *system;
	struct wp_trace_description description;
	bool printable; /* by the library */
};

struct wp_trace_events;

/* NULL: there is no sense in the bytes, which are not needed afterwards. wanted: ids. */
struct wp_trace_events *wp_trace_events_new(const void *bytes, size_t size, const uint64_t *wanted,
					    size_t n);
/* NULL: nothing is known of it. */
const struct wp_trace_event *wp_trace_events_find(const struct wp_trace_events *events,
						  uint64_t id);
void wp_trace_events_functions(struct wp_trace_events *events, wp_trace_function *find, void *arg);
/* Appends what the kernel would print; where that is not known, all fields. */
void wp_trace_events_print(struct wp_trace_events *events, const struct wp_trace_event *event,
			   uint32_t cpu, const uint8_t *payload, size_t bytes, struct wp_str *out);
void wp_trace_events_free(struct wp_trace_events *events);

#endif
