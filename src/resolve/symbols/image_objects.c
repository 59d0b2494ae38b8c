/* SPDX-License-Identifier: BSD-3-Clause */
/* image_objects: see image_objects.h. */
#include "resolve/symbols/image_objects.h"

static void load_objects_of(struct wp_image *image)
{
	bool reopened = wp_image_reopen(image);
	struct wp_symfile_source source = wp_image_source(image);

	if (image->fd >= 0)
		wp_symfile_objects(&source, &image->file, &image->objects);
	wp_image_close_again(image, reopened);
}

struct wp_symtab *wp_image_objects(struct wp_image *image)
{
	if (image->kind == WP_IMAGE_SCRIPT)
		return &image->file.symbols;
	if (!image->objects_tried && image->kind == WP_IMAGE_FILE &&
	    image->reason == WP_SYMBOL_STRIPPED)
		load_objects_of(image);
	image->objects_tried = true;
	return &image->objects;
}

bool wp_image_holds(const struct wp_image *image, uint64_t addr)
{
	wp_vec_each (const struct wp_elf_segment, segment, &image->file.image.segments)
		if (addr - segment->start.v < segment->mem_size)
			return true;
	return false;
}
