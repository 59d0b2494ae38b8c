/* SPDX-License-Identifier: BSD-3-Clause */
/* event_counting: the grammar of -e that metrics share. */
#ifndef WP_EVENT_COUNTING_H
#define WP_EVENT_COUNTING_H

#include "event/catalogue.h"

/* As wp_event_parse_counting(), for the events of a metric (NULL: of none). */
struct wp_err *wp_event_parse_list(const struct wp_catalogue *catalogue, const char *list,
				   const char *metric, struct wp_event_set *ret) WP_MUST_CHECK;
/* The cycle counter, which is counted and sampled when nothing else is asked for. */
struct wp_event wp_event_cycle(void);
/*
 * How many of n events need a programmable counter of the CPU: hardware events, less those that
 * its fixed counters can take.
 */
uint32_t wp_event_counters_needed(const struct wp_machine *machine, const struct wp_event *events,
				  size_t n);

#endif
