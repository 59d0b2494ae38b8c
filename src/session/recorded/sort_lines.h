/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_lines: the numbers of source lines in a report by keys. */
#ifndef WP_SORT_LINES_H
#define WP_SORT_LINES_H

#include "session/recorded/sort_state.h"

/* The number of a line, made when it is new. */
uint32_t wp_sort_line_index(struct wp_report_lines *lines, uint32_t of, uint32_t line);
/* In sort->lines: a line of a file. */
uint32_t wp_sort_line_in(struct wp_report_sort *sort, const char *file, uint32_t line);
/* In sort->lines: the line of an address in a module; WP_SORT_NONE: it has none. */
uint32_t wp_sort_line_at(struct wp_report_sort *sort, uint32_t module, struct wp_rva rva);

#endif
