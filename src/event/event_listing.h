/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_listing: every event that can be named on this machine, for `list`, `test` and `man`.
 */
#ifndef WP_EVENT_LISTING_H
#define WP_EVENT_LISTING_H

#include "event/catalogue.h"

struct wp_listed_event {
	const char *name; /* as -e takes it */
	enum wp_event_class class;
	enum wp_event_source source;
	bool has_index;
	uint64_t index;	  /* its number within its PMU */
	const char *kind; /* "[core PMU event]", "[core PMU event, not implemented]" */
	enum wp_event_presence presence;
	const char *text; /* one sentence, or NULL */
};

struct wp_event_listing {
	struct wp_arena arena;
	WP_VEC(struct wp_listed_event) events;
};

/*
 * Appends what the machine can count, in this order: the CPU PMU's events by index, those of sysfs,
 * of the CPU's table and of libpfm4, extra ones of -E, other classes, generic hardware, cache and
 * software events, other PMUs, breakpoints, tracepoints. The caller deinits.
 */
void wp_event_listing_fill(const struct wp_catalogue *catalogue, struct wp_event_listing *ret);
void wp_event_listing_deinit(struct wp_event_listing *listing);
#define wp_autolisting WP_CLEANUP(wp_event_listing_deinit)
/* The event of that name (any case), or NULL. */
const struct wp_listed_event *wp_event_listing_find(const struct wp_event_listing *listing,
						    const char *name);

#endif
