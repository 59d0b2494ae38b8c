/* SPDX-License-Identifier: BSD-3-Clause */
/* time.h for Windows: MinGW's, with the clock that does not stop while the machine sleeps: its only
 * one. */
#ifndef WP_WINDOWS_TIME_H
#define WP_WINDOWS_TIME_H

#include_next <time.h>

#define CLOCK_BOOTTIME CLOCK_MONOTONIC

#endif
