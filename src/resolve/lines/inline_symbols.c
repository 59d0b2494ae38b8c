/* SPDX-License-Identifier: BSD-3-Clause */
/* inline_symbols: see inline_symbols.h. */
#include "resolve/lines/inline_symbols.h"

static uint32_t symbol_of(struct wp_inline_symbols *inlined, struct wp_symbol_ids *ids,
			  uint32_t module, const struct wp_inline *in)
{
	uint64_t *at = wp_map_put(&inlined->symbols, in->key ^ (uint64_t)module << 40);

	if (!*at) {
		struct wp_symbol symbol = {
			.raw = in->name,
			.kind = WP_SYMBOL_INLINE,
			.module = module,
		};

		*at = wp_symbol_ids_add(ids, &symbol) + 1;
	}
	return (uint32_t)(*at - 1);
}

static struct wp_inlines *inlines_of(struct wp_inline_symbols *inlined, uint32_t module,
				     struct wp_srclines *lines)
{
	uint64_t *at = wp_map_put(&inlined->of_module, module);

	if (!*at) {
		wp_vec_push(&inlined->all, lines ? wp_inlines_new(lines) : NULL);
		*at = inlined->all.n;
	}
	return inlined->all.v[*at - 1];
}

size_t wp_inline_symbols_find(struct wp_inline_symbols *inlined, struct wp_symbol_ids *ids,
			      uint32_t module, struct wp_srclines *lines, struct wp_rva rva,
			      bool calls, struct wp_resolver_inline ret[WP_INLINES_MAX])
{
	struct wp_inlines *inlines = inlines_of(inlined, module, lines);
	struct wp_inline found[WP_INLINES_MAX];
	size_t n = inlines ? wp_inlines_find(inlines, rva, calls, found) : 0;

	for (size_t i = 0; i < n; i++)
		ret[i] = (struct wp_resolver_inline){
			.symbol = symbol_of(inlined, ids, module, &found[i]),
			.call = {found[i].call_file, found[i].call_line},
			.first_line = found[i].first_line,
		};
	return n;
}

uint32_t wp_inline_symbols_function_line(struct wp_inline_symbols *inlined, uint32_t module,
					 struct wp_srclines *lines, struct wp_rva rva)
{
	struct wp_inlines *inlines = inlines_of(inlined, module, lines);

	return inlines ? wp_inlines_function_line(inlines, rva) : 0;
}

void wp_inline_symbols_deinit(struct wp_inline_symbols *inlined)
{
	wp_vec_each (struct wp_inlines *, inlines, &inlined->all)
		wp_inlines_free(*inlines);
	wp_vec_deinit(&inlined->all);
	wp_map_deinit(&inlined->of_module);
	wp_map_deinit(&inlined->symbols);
}
