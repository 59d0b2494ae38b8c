/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_filters: --filter, which is of the last event that stands before it.
 *
 * Session stage. The words of -e are parsed in pieces that end where a filter stood.
 */
#ifndef WP_EVENT_FILTERS_H
#define WP_EVENT_FILTERS_H

#include "core/event.h"
#include "session/session.h"

/* Appends the events of a list to ret. */
typedef struct wp_err *wp_event_filters_parse(void *arg, const char *list,
					      struct wp_event_set *ret);

/* options->events, each event with its filter. */
struct wp_err *wp_event_filters_apply(const struct wp_session_options *options,
				      wp_event_filters_parse *parse, void *arg,
				      struct wp_event_set *ret) WP_MUST_CHECK;

#endif
