/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_win: see clock.h. */
#include "base/clock.h"

#include <windows.h>

uint64_t wp_clock_now_ns(void)
{
	LARGE_INTEGER frequency, now;
	uint64_t per_s, ticks;

	QueryPerformanceFrequency(&frequency);
	QueryPerformanceCounter(&now);
	per_s = (uint64_t)frequency.QuadPart;
	ticks = (uint64_t)now.QuadPart;
	return ticks / per_s * WP_NS_PER_S + ticks % per_s * WP_NS_PER_S / per_s;
}

void wp_clock_sleep_until_ns(uint64_t when_ns)
{
	uint64_t now = wp_clock_now_ns();

	if (when_ns > now)
		Sleep((DWORD)((when_ns - now + WP_NS_PER_MS - 1) / WP_NS_PER_MS));
}
