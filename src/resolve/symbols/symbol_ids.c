/* SPDX-License-Identifier: BSD-3-Clause */
/* symbol_ids: see symbol_ids.h. */
#include "resolve/symbols/symbol_ids.h"

#include "resolve/symbols/demangle.h"

#include <string.h>

uint32_t wp_symbol_ids_module(struct wp_symbol_ids *ids, const char *name, const char *path,
			      struct wp_va base)
{
	struct wp_module module = {
		.name = wp_arena_strdup(&ids->arena, name),
		.path = wp_arena_strdup(&ids->arena, path),
		.base = base,
	};

	wp_vec_push(&ids->set.modules, module);
	return (uint32_t)(ids->set.modules.n - 1);
}

uint32_t wp_symbol_ids_add(struct wp_symbol_ids *ids, const struct wp_symbol *symbol)
{
	struct wp_symbol add = *symbol;
	/* JIT names are for people already ("py::f:/x.py"), and "@" means nothing in them; so are
	 * Python's. */
	bool is_shown = add.kind == WP_SYMBOL_JIT || add.kind == WP_SYMBOL_PYTHON || add.name;
	wp_autofree char *shown = is_shown ? NULL : wp_demangle_display(add.raw);

	if (!add.name)
		add.name = !shown || strcmp(shown, add.raw) == 0
				   ? add.raw
				   : wp_arena_strdup(&ids->arena, shown);
	wp_vec_push(&ids->set.symbols, add);
	return (uint32_t)(ids->set.symbols.n - 1);
}

uint32_t wp_symbol_ids_unknown(struct wp_symbol_ids *ids, uint32_t module,
			       enum wp_symbol_reason reason, enum wp_symbol_kind kind)
{
	uint64_t *id =
		wp_map_put(&ids->unknowns, (uint64_t)module << 16 | (uint64_t)kind << 8 | reason);

	if (!*id) {
		struct wp_symbol add = {.kind = kind, .reason = reason, .module = module};

		wp_vec_push(&ids->set.symbols, add);
		*id = ids->set.symbols.n;
	}
	return (uint32_t)(*id - 1);
}

void wp_symbol_ids_deinit(struct wp_symbol_ids *ids)
{
	wp_vec_deinit(&ids->set.symbols);
	wp_vec_deinit(&ids->set.modules);
	wp_map_deinit(&ids->unknowns);
	wp_arena_deinit(&ids->arena);
}
