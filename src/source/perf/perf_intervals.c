/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_intervals: see perf_intervals.h. */
#include "source/perf/perf_intervals.h"

/* The kernel counts these itself: see struct wp_perf_mode. */
static bool has_interval(const struct wp_event *event)
{
	return (event->source == WP_EVENT_SW || event->source == WP_EVENT_TRACEPOINT ||
		event->source == WP_EVENT_BREAKPOINT || event->source == WP_EVENT_PROBE) &&
	       !event->is_member && !event->freq_hz && event->period > 1;
}

bool wp_perf_intervals_unsaid(const struct wp_source_options *options)
{
	bool wanted = false;

	wp_vec_each (struct wp_event, event, &options->events->events) {
		if (event->freq_hz)
			return false;
		wanted |= has_interval(event);
	}
	return options->sampling && wanted;
}

void wp_perf_intervals_warn(const struct wp_source_options *options,
			    const struct wp_perf_mode *mode)
{
	if (!mode->sampling || mode->unsaid_periods)
		return;
	wp_vec_each (struct wp_event, event, &options->events->events)
		if (has_interval(event))
			wp_log(options->log, WP_LOG_WARNING,
			       "%s: each hit is a sample, in spite of its interval: another event"
			       " has a rate",
			       event->name);
}
