/* SPDX-License-Identifier: BSD-3-Clause */
/* resolver_lines: what a resolver says of places in its modules: lines, inlined functions,
 * build-ids; see resolver.h. */
#include "resolve/resolver.h"
#include "resolve/resolver_state.h"

#include <string.h>

_Static_assert(WP_RESOLVER_INLINES == WP_INLINES_MAX, "one bound");
_Static_assert(WP_RESOLVER_BUILD_ID == WP_ELF_BUILD_ID_MAX, "one bound");

int wp_resolver_file(struct wp_resolver *r, uint32_t module)
{
	struct wp_image *image = wp_resolver_module(r, module);

	return image ? wp_image_file(image) : -1;
}

const char *wp_resolver_pdb(struct wp_resolver *r, uint32_t module)
{
	const struct wp_image *image = wp_resolver_module(r, module);

	return image ? wp_symfile_pdb_path(&image->file) : NULL;
}

const char *wp_resolver_pdb_id(struct wp_resolver *r, uint32_t module, const char **ret_path)
{
	const struct wp_image *image = wp_resolver_module(r, module);

	*ret_path = image ? image->file.pdb_wanted : NULL;
	return image ? image->file.pdb_id : NULL;
}

static struct wp_srclines *lines_of(struct wp_resolver *r, uint32_t module)
{
	struct wp_image *image = wp_resolver_module(r, module);

	struct wp_srclines *lines = image ? wp_image_lines(image) : NULL;

	if (lines && image->is_foreign)
		wp_srclines_bound(lines, r->images.log, image->path);
	return lines;
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

/* As the mapping says; else as the file does. */
size_t wp_resolver_build_id(struct wp_resolver *r, uint32_t module,
			    uint8_t ret[WP_RESOLVER_BUILD_ID])
{
	const struct wp_image *image = wp_resolver_module(r, module);

	if (!image)
		return 0;
	if (image->id.build_id_len) {
		memcpy(ret, image->id.build_id, image->id.build_id_len);
		return image->id.build_id_len;
	}
	memcpy(ret, image->file.image.build_id, image->file.image.build_id_len);
	return image->file.image.build_id_len;
}
