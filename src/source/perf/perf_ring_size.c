/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_ring_size: see perf_ring_size.h. */
#include "source/perf/perf_ring_size.h"

/* For this many seconds, and never more than this per CPU. */
#define RING_SECONDS   4
#define RING_MAX_BYTES (16u << 20)
/* How often events without a known rate are taken to happen on a CPU, per second. */
#define UNKNOWN_RATE 1000000u
#define CYCLE_RATE   5000000000u

static uint64_t samples_per_second(const struct wp_event *event)
{
	uint64_t period = event->period ? event->period : 1;

	if (event->is_member)
		return 0;
	if (event->freq_hz)
		return event->freq_hz;
	if (event->is_clock)
		return 1000000000u / period;
	return (event->source == WP_EVENT_HW ? CYCLE_RATE : UNKNOWN_RATE) / period;
}

uint64_t wp_perf_ring_size(const struct wp_event_set *events, size_t cpus, uint64_t sample_bytes)
{
	uint64_t limit = WP_PERF_RINGS_BYTES / (cpus ? cpus : 1), rate = 0,
		 bytes = WP_PERF_RING_MIN_BYTES;

	wp_vec_each (struct wp_event, event, &events->events)
		rate += samples_per_second(event);
	if (limit > RING_MAX_BYTES)
		limit = RING_MAX_BYTES;
	while (bytes < rate * sample_bytes * RING_SECONDS && bytes * 2 <= limit)
		bytes *= 2;
	return bytes;
}
