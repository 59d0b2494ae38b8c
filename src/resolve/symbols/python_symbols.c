/* SPDX-License-Identifier: BSD-3-Clause */
/* python_symbols: see python_symbols.h. */
#include "resolve/symbols/python_symbols.h"

#include "base/str.h"

/* The base name; with its folder where that says nothing: "json/__init__.py". */
static const char *short_name(const char *filename)
{
	const char *base = wp_str_basename(filename), *at = base;

	if (!wp_str_has_prefix(base, "__") || base - filename < 2)
		return base;
	for (at--; at > filename && at[-1] != '/';)
		at--;
	return at;
}

static uint32_t python_module_of(struct wp_python_symbols *symbols, struct wp_symbol_ids *ids,
				 const char *filename)
{
	uint64_t *at;

	if (!*filename)
		return WP_NO_MODULE;
	at = wp_map_put(&symbols->file_of, wp_strpool_id(&symbols->strings, filename));
	if (!*at)
		*at = 1 +
		      wp_symbol_ids_module(ids, short_name(filename), filename, (struct wp_va){0});
	return (uint32_t)(*at - 1);
}

uint32_t wp_python_symbols_id(struct wp_python_symbols *symbols, struct wp_symbol_ids *ids,
			      const char *name, const char *filename, uint32_t first_line)
{
	uint32_t name_id, module;
	uint64_t *pair, *at;

	if (symbols->symbol_of.n >= WP_PYTHON_SYMBOLS)
		return wp_python_symbols_unknown(ids);
	name_id = wp_strpool_id(&symbols->strings, name);
	module = python_module_of(symbols, ids, filename);
	pair = wp_map_put(&symbols->pair_of, (uint64_t)name_id << 32 | module);
	if (!*pair)
		*pair = symbols->pair_of.n;
	at = wp_map_put(&symbols->symbol_of, (*pair - 1) << 32 | first_line);
	if (!*at) {
		struct wp_symbol symbol = {
			.raw = wp_strpool_get(&symbols->strings, name_id),
			.kind = WP_SYMBOL_PYTHON,
			.module = module,
			.line = first_line,
		};

		*at = wp_symbol_ids_add(ids, &symbol) + 1;
	}
	return (uint32_t)(*at - 1);
}

uint32_t wp_python_symbols_unknown(struct wp_symbol_ids *ids)
{
	return wp_symbol_ids_unknown(ids, WP_NO_MODULE, WP_SYMBOL_UNREADABLE, WP_SYMBOL_PYTHON);
}

void wp_python_symbols_deinit(struct wp_python_symbols *symbols)
{
	wp_strpool_deinit(&symbols->strings);
	wp_map_deinit(&symbols->file_of);
	wp_map_deinit(&symbols->pair_of);
	wp_map_deinit(&symbols->symbol_of);
}
