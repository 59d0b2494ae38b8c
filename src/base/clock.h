/* SPDX-License-Identifier: BSD-3-Clause */
/* clock: time since boot in nanoseconds, the clock that every record is stamped with
 * (CLOCK_MONOTONIC as the kernel has it, also in a time namespace). */
#ifndef WP_CLOCK_H
#define WP_CLOCK_H

#include <stdint.h>

#define WP_NS_PER_MS 1000000ull
#define WP_NS_PER_S  1000000000ull
#define WP_FOREVER   UINT64_MAX

uint64_t wp_clock_now_ns(void);
/* Sleeps until the given time, or less when a signal arrives. */
void wp_clock_sleep_until_ns(uint64_t when_ns);

#endif
