/* SPDX-License-Identifier: BSD-3-Clause */
/* resolver_kernel: the kernel's part of the resolver; see resolver.h. */
#include "resolve/resolver.h"
#include "resolve/resolver_state.h"

#define KALLSYMS "/proc/kallsyms"

/* Where it lies now is only known with its symbols. */
static void find_move(struct wp_resolver *r)
{
	if (r->kernel.text && r->kernel_then)
		r->kernel_moved = r->kernel.text - r->kernel_then;
}

void wp_resolver_kernel_was_at(struct wp_resolver *r, uint64_t then, struct wp_va start,
			       uint64_t len)
{
	r->kernel_then = then;
	r->kernel_text = start.v;
	r->kernel_bytes = len;
	if (!r->kernel_loaded)
		return;
	find_move(r);
	wp_resolver_forget_known(r);
}

void wp_resolver_kernel_other(struct wp_resolver *r)
{
	r->options.kernel = false;
	wp_resolver_forget_known(r);
	r->images.other_vdso = true;
}

static uint32_t kernel_module(struct wp_resolver *r, uint32_t name_id)
{
	uint64_t *module = wp_map_put(&r->kernel_modules, name_id);

	if (!*module) {
		const char *name = wp_strpool_get(&r->kernel.modules, name_id);

		*module = wp_symbol_ids_module(&r->ids, name, name, (struct wp_va){0}) + 1;
	}
	return (uint32_t)(*module - 1);
}

static void load_kernel(struct wp_resolver *r)
{
	r->kernel_loaded = true;
	if (r->kernel_scripted)
		wp_images_script(&r->images, WP_KERNEL_PATH, &r->kernel.table);
	else if (r->options.kernel && !r->options.offline)
		wp_kernel_symbols_load(KALLSYMS, &r->kernel);
	else
		r->kernel.hidden = true;
	wp_strpool_id(&r->kernel.modules, WP_KERNEL_PATH);
	find_move(r);
}

void wp_resolver_kernel_load(struct wp_resolver *r)
{
	if (!r->kernel_loaded)
		load_kernel(r);
}

static size_t kernel_at(const struct wp_resolver *r, uint64_t ip)
{
	if (r->kernel_moved && ip - r->kernel_text >= r->kernel_bytes)
		return WP_SYMTAB_NONE;
	return wp_symtab_find(&r->kernel.table, ip + r->kernel_moved);
}

static uint32_t find_kernel_symbol(struct wp_resolver *r, struct wp_va ip)
{
	wp_resolver_kernel_load(r);
	size_t at = kernel_at(r, ip.v);
	if (at != WP_SYMTAB_NONE)
		return wp_resolver_table_symbol(r, &r->kernel.table, at,
						kernel_module(r, r->kernel.table.pieces[at].tag),
						WP_SYMBOL_KERNEL);
	return wp_symbol_ids_unknown(
		&r->ids, kernel_module(r, 0),
		r->kernel.hidden ? WP_SYMBOL_KERNEL_HIDDEN : WP_SYMBOL_STRIPPED, WP_SYMBOL_KERNEL);
}

uint32_t wp_resolver_kernel_symbol(struct wp_resolver *r, struct wp_va ip)
{
	struct known *known = wp_resolver_known(r, KNOWN_KERNEL, ip.v);

	if (!known->owner)
		*known = (struct known){ip.v, KNOWN_KERNEL, find_kernel_symbol(r, ip)};
	return known->symbol;
}
