/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_fields: the fields of a run's tracepoints and probes: who has which, and what a hit reads
 * like.
 *
 * Session stage. In: events, and TRACING_DATA of the recording or of the running kernel, and
 * what is asked of probes. Out:
 * event->fields.
 */
#ifndef WP_EVENT_FIELDS_H
#define WP_EVENT_FIELDS_H

#include "base/err.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/record.h"
#include "format/trace/trace_events.h"
#include "resolve/resolver.h"

/* All-zero is empty. */
struct wp_event_fields {
	struct wp_trace_events *events; /* NULL: no tracepoint is described */
	struct wp_str bytes;		/* TRACING_DATA of the running kernel */
	/* Of a thread that stops, where there are waits (core/wait.h): its state. */
	const struct wp_field *prev_state;
	const struct wp_field *prev_pid; /* and which thread that is, as the kernel numbers it */
};

/* Of a recording's tracepoints; those that it does not name get their names. */
void wp_event_fields_recorded(struct wp_event_fields *fields, const uint8_t *bytes, size_t n,
			      struct wp_event_set *set);
/* Of this machine's, for events that are to be opened: fields->bytes. */
void wp_event_fields_live(struct wp_event_fields *fields, const struct wp_machine *machine,
			  struct wp_event_set *set);
/* Names of the kernel's functions, for pointers to code; the resolver outlives it. */
void wp_event_fields_functions(struct wp_event_fields *fields, struct wp_resolver *resolver);
/* Refuses weights that are no number of their event's. */
struct wp_err *wp_event_fields_check(const struct wp_event_set *set) WP_MUST_CHECK;
/* Refuses a word "field:NAME" of an option that no event has; one that some have is good. */
struct wp_err *wp_event_fields_known(const struct wp_event_set *set, const char *option,
				     const char *word) WP_MUST_CHECK;
/* What a sample of an event with a weight counts for: the value of that field. */
void wp_event_fields_weigh(const struct wp_event *event, struct wp_record_sample *sample);
/* Appends what the kernel would print of the sample; nothing where its event has no fields. */
void wp_event_fields_print(struct wp_event_fields *fields, const struct wp_event *event,
			   const struct wp_record *sample, struct wp_str *out);
void wp_event_fields_deinit(struct wp_event_fields *fields);

#endif
