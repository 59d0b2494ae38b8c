/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_data: see resolver_data.h. Mappings of data are not told of, but a module's data lies
 * behind its code, as far from it as the file says: the segments tell whose an address is.
 */
#include "resolve/resolver_data.h"

#include "resolve/resolver_mapping.h"
#include "resolve/resolver_state.h"
#include "resolve/symbols/image_objects.h"

/* How many mappings of code in front of the address are looked at. */
#define STEPS 16

/* The image that has the address among its segments; *ret_addr is the linked one. */
static struct wp_image *image_with(struct wp_resolver *r, uint32_t pid, struct wp_va va,
				   uint64_t *ret_addr)
{
	struct wp_process *process = wp_processes_find(r->processes, pid);
	size_t n = 0, at = process ? wp_mappings_up_to(process->maps, va) : 0;
	const struct wp_mapping *maps = process ? wp_mappings_all(process->maps, &n) : NULL;
	struct wp_image_mapping found;

	for (size_t i = 0; i < STEPS && i < at; i++) {
		struct wp_va start = maps[at - 1 - i].start;
		uint64_t len = maps[at - 1 - i].len;

		if (wp_resolver_mapping(r, pid, start, WP_IMAGE_WAIT, &found) != WP_RESOLVER_FOUND)
			continue;
		*ret_addr = va.v - found.delta;
		if (wp_image_holds(found.image, *ret_addr) ||
		    (found.image->kind == WP_IMAGE_SCRIPT && va.v - start.v < len))
			return found.image;
	}
	return NULL;
}

uint32_t wp_resolver_data_symbol(struct wp_resolver *r, const struct wp_record *sample,
				 struct wp_va va)
{
	uint64_t addr = 0;
	struct wp_image *image = image_with(r, sample->pid, va, &addr);
	struct wp_symtab *objects = image ? wp_image_objects(image) : NULL;
	size_t at = image ? wp_symtab_find(objects, addr) : WP_SYMTAB_NONE;

	if (at != WP_SYMTAB_NONE)
		return wp_resolver_table_symbol(r, objects, at, image->module, WP_SYMBOL_NATIVE);
	if (image)
		return wp_symbol_ids_unknown(&r->ids, image->module, image->reason,
					     WP_SYMBOL_NATIVE);
	return wp_symbol_ids_unknown(&r->ids, WP_NO_MODULE, WP_SYMBOL_NO_MODULE, WP_SYMBOL_NATIVE);
}
