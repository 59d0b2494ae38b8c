/* SPDX-License-Identifier: BSD-3-Clause */
/* inline_symbols: see inline_symbols.h. */
#include "resolve/lines/inline_symbols.h"

static uint32_t symbol_of_inline(struct wp_inline_symbols *inlined, struct wp_symbol_ids *ids,
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

struct wp_inlines *wp_inline_symbols_of(struct wp_inline_symbols *inlined, uint32_t module,
					struct wp_srclines *lines)
{
	uint64_t *at = wp_map_put(&inlined->of_module, module);

	if (!*at) {
		wp_vec_push(&inlined->all, lines ? wp_inlines_new(lines) : NULL);
		*at = inlined->all.n;
	}
	return inlined->all.v[*at - 1];
}

void wp_inline_symbols_name(struct wp_inline_symbols *inlined, struct wp_symbol_ids *ids,
			    uint32_t module, const struct wp_inline *found, size_t n,
			    struct wp_resolver_inline ret[WP_INLINES_MAX])
{
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct wp_resolver_inline){
			.symbol = symbol_of_inline(inlined, ids, module, &found[i]),
			.call = {found[i].call_file, found[i].call_line},
			.first_line = found[i].first_line,
		};
}

void wp_inline_symbols_deinit(struct wp_inline_symbols *inlined)
{
	wp_vec_each (struct wp_inlines *, inlines, &inlined->all)
		wp_inlines_free(*inlines);
	wp_vec_deinit(&inlined->all);
	wp_map_deinit(&inlined->of_module);
	wp_map_deinit(&inlined->symbols);
}
