/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbol_ids: gives symbols and modules their ids, and keeps their strings for the run.
 */
#ifndef WP_SYMBOL_IDS_H
#define WP_SYMBOL_IDS_H

#include "base/arena.h"
#include "base/map.h"
#include "core/symbol.h"

/* All-zero is empty. */
struct wp_symbol_ids {
	struct wp_symbol_set set;
	struct wp_arena arena;
	struct wp_map unknowns; /* module, kind and reason -> id + 1 */
};

/* A new module; the strings are copied. */
uint32_t wp_symbol_ids_module(struct wp_symbol_ids *ids, const char *name, const char *path,
			      struct wp_va base);
/* A new symbol. Its `raw` is borrowed for the run; `name` is made from it. */
uint32_t wp_symbol_ids_add(struct wp_symbol_ids *ids, const struct wp_symbol *symbol);
/* The symbol for "unknown, in that module, for that reason, of that kind"; one each. */
uint32_t wp_symbol_ids_unknown(struct wp_symbol_ids *ids, uint32_t module,
			       enum wp_symbol_reason reason, enum wp_symbol_kind kind);
void wp_symbol_ids_deinit(struct wp_symbol_ids *ids);

#endif
