/* SPDX-License-Identifier: BSD-3-Clause */
/* clock: see clock.h. */
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int64_t ahead_ns;

/* Of a process, for ever. */
static void find_ahead(void)
{
	FILE *file = fopen("/proc/self/timens_offsets", "re");
	long long seconds, ns;

	if (file && fscanf(file, "monotonic %lld %lld", &seconds, &ns) == 2)
		ahead_ns = seconds * (int64_t)WP_NS_PER_S + ns;
	if (file)
		fclose(file);
}

/*
 * In a time namespace (of a container) our clock is ahead of, or behind, the one that the kernel
 * puts into records.
 */
static uint64_t get_ahead(void)
{
	pthread_once(&once, find_ahead);
	return (uint64_t)ahead_ns;
}

uint64_t wp_clock_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * WP_NS_PER_S + (uint64_t)ts.tv_nsec - get_ahead();
}

void wp_clock_sleep_until_ns(uint64_t when_ns)
{
	uint64_t ns = when_ns + get_ahead();
	struct timespec ts = {.tv_sec = (time_t)(ns / WP_NS_PER_S),
			      .tv_nsec = (long)(ns % WP_NS_PER_S)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}
