/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell_text: a cell as a person reads it, on paper and on screens.
 *
 * View stage. Pure functions. Names come from strangers' files: a control character must not reach
 * a terminal, which obeys it.
 */
#ifndef WP_CELL_TEXT_H
#define WP_CELL_TEXT_H

#include "base/str.h"
#include "core/table.h"

/* As perf has it: hot from 5 percent on, warm from a half. */
enum wp_heat { WP_HEAT_COLD, WP_HEAT_WARM, WP_HEAT_HOT };

/* Appends a text whose control characters have become question marks. */
void wp_cell_text_clean(struct wp_str *out, const char *text);
/* Appends a cell, in one line; of a table in a cell nothing. */
void wp_cell_text(struct wp_str *out, const struct wp_cell *cell);
enum wp_heat wp_cell_text_heat(double pct);

#endif
