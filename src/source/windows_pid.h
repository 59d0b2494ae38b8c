/*
 * windows_pid: the number that a Windows program under Wine has among Windows' processes.
 *
 * Source stage. It stands in the thread environment block (TEB) of each of its threads, which Wine
 * keeps in the lowest 2 GiB and which begins with stack bounds and its own address (winternl.h).
 */
#ifndef WP_WINDOWS_PID_H
#define WP_WINDOWS_PID_H

#include <stdbool.h>
#include <stdint.h>

/* False when no such block is found: no Windows program of 64 bits, or its memory may not be read.
 */
bool wp_windows_pid(uint32_t pid, uint32_t *ret);

#endif
