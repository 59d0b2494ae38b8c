/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inline_symbols: functions that were inlined, as symbols: one for each function of a module.
 *
 * Resolve stage. In: a module's line table and an address in it. Out: ids of symbols of kind
 * INLINE.
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

/* A module's inlined functions; NULL if lines were NULL at its first question. */
struct wp_inlines *wp_inline_symbols_of(struct wp_inline_symbols *inlined, uint32_t module,
					struct wp_srclines *lines);
/* What was found at an address (wp_inlines_find()), as symbols. */
void wp_inline_symbols_name(struct wp_inline_symbols *inlined, struct wp_symbol_ids *ids,
			    uint32_t module, const struct wp_inline *found, size_t n,
			    struct wp_resolver_inline ret[WP_INLINES_MAX]);
/* Before the line tables. */
void wp_inline_symbols_deinit(struct wp_inline_symbols *inlined);

#endif
