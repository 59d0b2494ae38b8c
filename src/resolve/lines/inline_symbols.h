/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inline_symbols: functions that were inlined, as symbols: one for each function of a module.
 *
 * Resolve stage. In: a module's line table and an address in it. Out: ids of symbols of kind
 * INLINE. A module's DWARF is opened at the first question.
 */
#ifndef WP_INLINE_SYMBOLS_H
#define WP_INLINE_SYMBOLS_H

#include "base/vec.h"
#include "resolve/lines/inlines.h"
#include "resolve/resolver_line.h"
#include "resolve/symbols/symbol_ids.h"

/* All-zero is empty. */
struct wp_inline_symbols {
	WP_VEC(struct wp_inlines *) all; /* NULL: the module has no DWARF */
	struct wp_map of_module;	 /* module -> index in all + 1 */
	struct wp_map symbols;		 /* module and key, mixed -> symbol + 1 */
};

/* Finds the functions inlined at an address, outermost first, with where they were called if
 * `calls`; returns how many. lines may be NULL. */
size_t wp_inline_symbols_find(struct wp_inline_symbols *inlined, struct wp_symbol_ids *ids,
			      uint32_t module, struct wp_srclines *lines, struct wp_rva rva,
			      bool calls, struct wp_resolver_inline ret[WP_INLINES_MAX]);
/* The first line of the function around them; see wp_inlines_function_line(). lines may be NULL. */
uint32_t wp_inline_symbols_function_line(struct wp_inline_symbols *inlined, uint32_t module,
					 struct wp_srclines *lines, struct wp_rva rva);
/* Before the line tables. */
void wp_inline_symbols_deinit(struct wp_inline_symbols *inlined);

#endif
