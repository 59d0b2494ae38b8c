/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_data: see resolver_data.h. A module's data lies behind its code, as far from it as the
 * file says: the segments tell whose an address is, unless something else is mapped there by now.
 */
#include "resolve/resolver_data.h"

#include "base/str.h"
#include "format/maps/proc_maps.h"
#include "resolve/resolver_mapping.h"
#include "resolve/resolver_state.h"
#include "resolve/symbols/image_objects.h"

#include <string.h>

/* How many mappings of code in front of the address are looked at, and behind it. */
#define STEPS 16

#define PAGE_BYTES 4096 /* at least; a file's last page is its own up to its end */
#define RED_ZONE   128	/* in use below the stack pointer (System V ABI of x86-64) */
/*
 * A thread's stack is anonymous memory to the kernel. Its own stack pointer tells it from other
 * memory where the mapping is no larger than stacks are (RLIMIT_STACK's default, with a page of
 * its guard): an allocator's arena in which some runtime has its stacks is larger.
 */
#define STACK	    "[stack]" /* of a process's first thread, for the kernel */
#define STACK_BYTES ((8u << 20) + PAGE_BYTES)

/* The image at a mapping of code, if it has the address; *ret_addr is the linked one. */
static struct wp_image *image_having(struct wp_resolver *r, uint32_t pid,
				     const struct wp_mapping *mapping, struct wp_va va,
				     uint64_t *ret_addr)
{
	struct wp_va start = mapping->start;
	uint64_t len = mapping->len;
	struct wp_image_mapping found;

	if (wp_resolver_mapping(r, pid, start, WP_IMAGE_WAIT, &found) != WP_RESOLVER_FOUND)
		return NULL;
	*ret_addr = va.v - found.delta;
	if (wp_image_holds(found.image, *ret_addr) ||
	    (found.image->kind == WP_IMAGE_SCRIPT && va.v - start.v < len))
		return found.image;
	return NULL;
}

/* The image that has the address among its segments. */
static struct wp_image *image_with(struct wp_resolver *r, struct wp_process *process,
				   struct wp_va va, bool is_file, uint64_t *ret_addr)
{
	size_t n = 0, at = wp_mappings_up_to(process->maps, va);
	const struct wp_mapping *maps = wp_mappings_all(process->maps, &n);
	struct wp_image *image = NULL;

	for (size_t i = 0; i < STEPS && i < at && !image; i++)
		image = image_having(r, process->pid, &maps[at - 1 - i], va, ret_addr);
	/* A file's first bytes, with its constants, lie in front of its code. */
	for (size_t i = at; is_file && i < at + STEPS && i < n && !image; i++)
		image = image_having(r, process->pid, &maps[i], va, ret_addr);
	return image;
}

/* Is the address behind what the file fills of its segments: in what is all zero (.bss)? */
static bool is_unfilled(const struct wp_image *image, uint64_t addr)
{
	wp_vec_each (const struct wp_elf_segment, segment, &image->file.image.segments) {
		uint64_t at = addr - segment->start.v;

		if (at < segment->mem_size && at >= segment->file_size)
			return true;
	}
	return false;
}

/* Does what was mapped there last belong to an image that would have the address? */
static bool is_of_image(const struct wp_resolver *r, const struct wp_mapping *area,
			const struct wp_image *image, uint64_t addr)
{
	const struct wp_image *mapped = r->images.all.v[area->image];

	/* Only mappings of code are known by build-id. */
	if (mapped->path_id == image->path_id || image->kind == WP_IMAGE_SCRIPT)
		return true;
	return mapped->kind == WP_IMAGE_MEMORY && is_unfilled(image, addr);
}

static uint32_t area_symbol(struct wp_resolver *r, const char *name)
{
	uint32_t id = wp_strpool_id(&r->area_names, name);
	uint64_t *known = wp_map_put(&r->areas, id);

	if (!*known) {
		const char *kept = wp_strpool_get(&r->area_names, id);
		uint32_t module = wp_symbol_ids_module(&r->ids, kept, kept, (struct wp_va){0});

		r->ids.set.modules.v[module].lacks_lines = true;
		*known = 1 + (uint64_t)wp_symbol_ids_unknown(&r->ids, module, WP_SYMBOL_NO_MODULE,
							     WP_SYMBOL_NATIVE);
	}
	return (uint32_t)(*known - 1);
}

static bool is_anonymous(const struct wp_image *image)
{
	return strcmp(image->path, WP_PROC_MAPS_ANON) == 0;
}

/* The sample's own thread has its stack there. */
static bool is_stack(const struct wp_mapping *area, const struct wp_data_query *query)
{
	return query->sp && query->sp - area->start.v < area->len &&
	       query->va.v >= query->sp - RED_ZONE && area->len <= STACK_BYTES;
}

static uint32_t stack_symbol(struct wp_resolver *r, const struct wp_data_query *query)
{
	wp_autofree char *name = NULL;

	if (!query->thread)
		return area_symbol(r, STACK);
	name = wp_asprintf("[stack of %s]", query->thread);
	return area_symbol(r, name);
}

/*
 * The first thread's stack grows when the page below it is touched: the fault is told of before its
 * new size is. Where nothing is mapped there, who gets the memory gets the stack's.
 */
static bool is_growing_stack(const struct wp_resolver *r, const struct wp_process *process,
			     struct wp_va va)
{
	size_t n, above = wp_mappings_up_to(process->areas, va);
	const struct wp_mapping *areas = wp_mappings_all(process->areas, &n);

	return above < n && strcmp(r->images.all.v[areas[above].image]->path, STACK) == 0 &&
	       areas[above].start.v - va.v <= STACK_BYTES;
}

static uint32_t symbol_of_area(struct wp_resolver *r, const struct wp_mapping *area,
			       const struct wp_data_query *query)
{
	const struct wp_image *image = r->images.all.v[area->image];

	if (is_anonymous(image) || !*image->path)
		return is_stack(area, query) ? stack_symbol(r, query) : area_symbol(r, "[anon]");
	if (image->path[0] == '[') /* the kernel's own word, in which there may be any byte */
		return area_symbol(r, image->path);
	/* Shared memory without a name, which the kernel calls so. */
	if (strcmp(image->path, "/dev/zero") == 0)
		return area_symbol(r, image->path);
	return area_symbol(r, wp_str_basename(image->path));
}

void wp_resolver_map_data(struct wp_resolver *r, const struct wp_record *record)
{
	const struct wp_record_map *map = &record->map;
	struct wp_process *process = wp_processes_find(r->processes, record->pid);
	struct wp_mapping mapping = {.start = map->start, .len = map->len, .pgoff = map->pgoff};

	if (map->kernel || (!map->data && (!process || !process->areas)))
		return;
	if (!process)
		process = wp_processes_get(r->processes, record->pid);
	r->has_areas = true;
	mapping.image = wp_images_of(&r->images, map);
	if (!wp_mappings_add(&process->areas, &mapping))
		wp_log(r->options.log, WP_LOG_VERBOSE, "process %u has too many mappings",
		       record->pid);
}

bool wp_resolver_has_areas(const struct wp_resolver *r)
{
	return r->has_areas;
}

/* The image whose data an address is, as far as it is known. */
static struct wp_image *image_of_data(struct wp_resolver *r, struct wp_process *process,
				      const struct wp_mapping *area, struct wp_va va,
				      uint64_t *ret_addr)
{
	bool is_file = area && r->images.all.v[area->image]->kind == WP_IMAGE_FILE;
	struct wp_image *image = image_with(r, process, va, is_file, ret_addr);

	return image && area && !is_of_image(r, area, image, *ret_addr) ? NULL : image;
}

uint32_t wp_resolver_data_symbol(struct wp_resolver *r, const struct wp_data_query *query)
{
	struct wp_process *process = wp_processes_find(r->processes, query->sample->pid);
	struct wp_mapping *area = process ? wp_mappings_at(process->areas, query->va) : NULL;
	struct wp_image *image = NULL;
	struct wp_symtab *objects;
	uint64_t addr = 0;
	size_t at;

	if (process)
		image = image_of_data(r, process, area, query->va, &addr);
	if (!image && area)
		return symbol_of_area(r, area, query);
	if (!image && process && is_growing_stack(r, process, query->va))
		return area_symbol(r, STACK);
	if (!image)
		return wp_symbol_ids_unknown(&r->ids, WP_NO_MODULE, WP_SYMBOL_NO_MODULE,
					     WP_SYMBOL_NATIVE);
	objects = wp_image_objects(image);
	at = wp_symtab_find(objects, addr);
	if (at != WP_SYMTAB_NONE)
		return wp_resolver_table_symbol(r, objects, at, image->module, WP_SYMBOL_NATIVE);
	return wp_symbol_ids_unknown(&r->ids, image->module, image->reason, WP_SYMBOL_NATIVE);
}
