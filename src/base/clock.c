/* SPDX-License-Identifier: BSD-3-Clause */
/* clock: see clock.h. */
#include "base/clock.h"

#include <time.h>

uint64_t wp_clock_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * WP_NS_PER_S + (uint64_t)ts.tv_nsec;
}

void wp_clock_sleep_until_ns(uint64_t when_ns)
{
	struct timespec ts = {.tv_sec = (time_t)(when_ns / WP_NS_PER_S),
			      .tv_nsec = (long)(when_ns % WP_NS_PER_S)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}
