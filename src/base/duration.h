/* SPDX-License-Identifier: BSD-3-Clause */
/* duration: how long, in the words of --timeout, sleep and -i. */
#ifndef WP_DURATION_H
#define WP_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses WindowsPerf's time grammar: a decimal number without leading zeros, at most two decimals,
 * and one of s (the default), m, ms, h, d: "2s", "2.50h", "10.01ms". False, and *ret_ns untouched,
 * on anything else and on times that 64 bits of nanoseconds cannot hold.
 */
bool wp_duration_parse(const char *text, uint64_t *ret_ns);

#endif
