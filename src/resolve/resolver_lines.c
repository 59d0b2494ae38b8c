/* resolver_lines: what a module's line table and DWARF say of an address; see resolver.h. */
#include "resolve/resolver_state.h"

static struct wp_srclines *lines_of(struct wp_resolver *r, uint32_t module)
{
	struct wp_image *image = wp_resolver_module(r, module);

	return image ? wp_image_lines(image) : NULL;
}

bool wp_resolver_line(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
		      struct wp_resolver_line *ret)
{
	struct wp_srclines *lines = lines_of(r, module);

	return lines && wp_srclines_find(lines, rva, &ret->file, &ret->line);
}

size_t wp_resolver_inlines(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
			   struct wp_resolver_inline ret[WP_RESOLVER_INLINES])
{
	return wp_inline_symbols_find(&r->inlines, &r->ids, module, lines_of(r, module), rva, true,
				      ret);
}

size_t wp_resolver_inlined(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
			   uint32_t ret[WP_RESOLVER_INLINES])
{
	struct wp_resolver_inline found[WP_RESOLVER_INLINES];
	size_t n = wp_inline_symbols_find(&r->inlines, &r->ids, module, lines_of(r, module), rva,
					  false, found);

	for (size_t i = 0; i < n; i++)
		ret[i] = found[i].symbol;
	return n;
}

uint32_t wp_resolver_function_line(struct wp_resolver *r, uint32_t module, struct wp_rva rva)
{
	return wp_inline_symbols_function_line(&r->inlines, module, lines_of(r, module), rva);
}
