/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows_teb: the thread environment block (TEB) of a thread of a Windows program under Wine.
 *
 * Source stage. Wine keeps TEBs in the lowest 2 GiB of a process; each begins with the bounds of
 * its thread's stack and its own address, the numbers that its process and itself have in Windows
 * behind them (winternl.h).
 */
#ifndef WP_WINDOWS_TEB_H
#define WP_WINDOWS_TEB_H

#include "core/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_windows_teb {
	uint64_t addr;
	uint32_t process; /* Windows' number of it */
};

/*
 * The TEB of the thread whose stack the address is in; 0: of any. False when there is none: no
 * Windows program of 64 bits, a thread that runs on a stack of Wine's, or memory that may not be
 * read.
 */
bool wp_windows_teb(uint32_t pid, uint64_t sp, struct wp_windows_teb *ret);
/* It, in a memory with these lines of /proc/PID/maps. */
bool wp_windows_teb_search(const char *maps, const struct wp_memory *memory, uint64_t sp,
			   struct wp_windows_teb *ret);

#endif
