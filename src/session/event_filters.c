/* SPDX-License-Identifier: BSD-3-Clause */
/* event_filters: see event_filters.h. */
#include "session/event_filters.h"

/* A second filter of the same event is one more condition, as in perf. */
static struct wp_err *add_filter(struct wp_event_set *set, const char *filter)
{
	struct wp_event *event = &set->events.v[set->events.n - 1];

	if (event->source == WP_EVENT_PROBE)
		return wp_err_new(WP_ERR_USAGE,
				  "--filter %s: the event before it is %s, a probe, and of those "
				  "the kernel filters none; only tracepoints have fields",
				  filter, event->name);
	if (event->source != WP_EVENT_TRACEPOINT)
		return wp_err_new(WP_ERR_USAGE,
				  "--filter %s: the event before it is %s, and only tracepoints "
				  "have fields",
				  filter, event->name);
	event->filter =
		event->filter ? wp_arena_printf(&set->arena, "(%s) && (%s)", event->filter, filter)
			      : wp_arena_strdup(&set->arena, filter);
	return NULL;
}

struct wp_err *wp_event_filters_apply(const struct wp_session_options *options,
				      wp_event_filters_parse *parse, void *arg,
				      struct wp_event_set *ret)
{
	const char *list = options->events.list;
	size_t taken = 0;

	for (size_t i = 0; i < options->events.n_filters; i++) {
		const struct wp_session_filter *filter = &options->events.filters[i];

		if (filter->at > taken) {
			wp_autofree char *piece = wp_strndup(list + taken, filter->at - taken);

			TRY(parse(arg, piece, ret));
			taken = filter->at + 1; /* the comma */
		}
		TRY(add_filter(ret, filter->text));
	}
	return !options->events.n_filters || list[taken - 1] ? parse(arg, list + taken, ret) : NULL;
}
