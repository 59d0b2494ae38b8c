/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * char_widths: the characters that take no column of a terminal, and those that take two, as ranges
 * in rising order. tools/char_widths makes them of the Unicode data of a Python.
 */
#ifndef WP_CHAR_WIDTHS_H
#define WP_CHAR_WIDTHS_H

#include <stddef.h>
#include <stdint.h>

struct wp_char_range {
	uint32_t first, last;
};

extern const struct wp_char_range wp_char_no_columns[], wp_char_two_columns[];
extern const size_t wp_char_no_columns_n, wp_char_two_columns_n;

#endif
