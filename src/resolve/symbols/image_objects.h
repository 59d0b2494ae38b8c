/* SPDX-License-Identifier: BSD-3-Clause */
/* image_objects: the objects (variables) of an image, which only addresses of data ask for. */
#ifndef WP_IMAGE_OBJECTS_H
#define WP_IMAGE_OBJECTS_H

#include "resolve/symbols/image.h"

/* Of an opened image, by linked address, loaded once; may open the file again. Belongs to it. */
struct wp_symtab *wp_image_objects(struct wp_image *image);
/* Whether the linked address is in the image as it is loaded: its .bss too. */
bool wp_image_holds(const struct wp_image *image, uint64_t addr);

#endif
