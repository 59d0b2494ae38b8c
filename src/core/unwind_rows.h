/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_rows: a module's unwind rules while they are collected: sorted rows, each holding up to
 * the next.
 *
 * The compiler of call frame information appends rows in address order; what the module tells in
 * other ways (its PLT, its entry point, functions that are the outermost) is laid over them.
 */
#ifndef WP_UNWIND_ROWS_H
#define WP_UNWIND_ROWS_H

#include "base/vec.h"
#include "core/unwind_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All-zero is empty: no rule anywhere. */
struct wp_unwind_rows {
	WP_VEC(struct wp_unwind_rule) rows;
	uint64_t base; /* what a row's pc is relative to */
};

/* A rule without its address. */
bool wp_unwind_rule_same(const struct wp_unwind_rule *a, const struct wp_unwind_rule *b);
/* Appends a rule that holds from pc on; merged when the last row says the same. pc never falls; at
 * the last row's pc it replaces that row. */
void wp_unwind_rows_append(struct wp_unwind_rows *rows, uint32_t pc, struct wp_unwind_rule rule);
/*
 * Lays a rule over linked addresses [start, end): over everything, or only where there is none.
 * What lies outside of the 4 GiB above the base is cut off.
 */
void wp_unwind_rows_lay(struct wp_unwind_rows *rows, uint64_t start, uint64_t end,
			struct wp_unwind_rule rule, bool only_gaps);
/* Where the rows say nothing, what others (of the same base) say. */
void wp_unwind_rows_fill(struct wp_unwind_rows *rows, const struct wp_unwind_rows *others);
void wp_unwind_rows_deinit(struct wp_unwind_rows *rows);

/* The rule for an address relative to the table's base; NULL below the first row. */
const struct wp_unwind_rule *wp_unwind_rule_find(const struct wp_unwind_rule *rules, size_t n,
						 uint64_t pc);

#endif
