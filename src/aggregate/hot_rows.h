/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hot_rows: the rows of one event's table of hot functions, by the text that is shown.
 *
 * Aggregate stage. Symbols that read the same (overloads in short form, all unknowns) are one row,
 * as in WindowsPerf.
 */
#ifndef WP_HOT_ROWS_H
#define WP_HOT_ROWS_H

#include "aggregate/flat.h"
#include "base/arena.h"
#include "core/symbol.h"

#include <stdbool.h>

struct wp_hot_row {
	const char *text; /* "x_mul:python312_d.dll", "main", "unknown" */
	const char *name; /* without the module: what --symbol is matched with */
	bool known;
	uint64_t samples, weight;
	WP_VEC(uint32_t) symbols; /* the ids it stands for */
};

struct wp_hot_rows {
	struct wp_arena arena;
	WP_VEC(struct wp_hot_row) rows; /* by weight, then samples, descending; then by text */
	uint64_t samples, weight;
};

struct wp_hot_options {
	const struct wp_symbol_set *symbols;
	uint32_t main_module; /* its functions are shown without a module; or WP_NO_MODULE */
	bool raw;	      /* names as in the symbol table */
};

/* Of an event whose rows are sorted. */
void wp_hot_rows_init(struct wp_hot_rows *rows, const struct wp_flat_event *event,
		      const struct wp_hot_options *options);
void wp_hot_rows_deinit(struct wp_hot_rows *rows);

/* A symbol's name as the options want it; NULL when it has none. */
const char *wp_hot_name(const struct wp_symbol *symbol, const struct wp_hot_options *options);
/* What a table shows for it: "x_mul:libpython3.11.so", "main", "unknown", of Python functions
 * "fib (app.py:3)"; may be in the arena. */
const char *wp_hot_text(struct wp_arena *arena, const struct wp_symbol *symbol,
			const struct wp_hot_options *options);

/*
 * True when a name fits the pattern of --symbol: `name` or `^name$` the whole, `^prefix`,
 * `suffix$`; without regard to case; NULL fits everything.
 */
bool wp_hot_matches(const char *name, const char *pattern);
/* True when a Python function fits, whose name or the last part of it may be meant: "Parser.parse",
 * "parse". */
bool wp_hot_matches_qualified(const char *name, const char *pattern);

#endif
