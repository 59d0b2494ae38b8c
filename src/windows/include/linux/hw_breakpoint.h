/* SPDX-License-Identifier: BSD-3-Clause */
/* linux/hw_breakpoint.h for Windows: numbers of perf_event_open(2), which stand in recordings. */
#ifndef WP_WINDOWS_HW_BREAKPOINT_H
#define WP_WINDOWS_HW_BREAKPOINT_H

enum {
	HW_BREAKPOINT_LEN_1 = 1,
	HW_BREAKPOINT_LEN_2 = 2,
	HW_BREAKPOINT_LEN_4 = 4,
	HW_BREAKPOINT_LEN_8 = 8,
};

enum {
	HW_BREAKPOINT_R = 1,
	HW_BREAKPOINT_W = 2,
	HW_BREAKPOINT_RW = 3,
	HW_BREAKPOINT_X = 4,
};

#endif
