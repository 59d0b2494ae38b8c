/*
 * image_code: the machine code of an image, from its file, read when it is first looked at.
 *
 * Resolve stage. For those who follow a stack by what the code around its addresses does.
 */
#ifndef WP_IMAGE_CODE_H
#define WP_IMAGE_CODE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_image;

/* All-zero is empty: not read yet. */
struct wp_image_code {
	bool tried;
	WP_VEC(struct wp_image_segment {
		uint64_t start;
		size_t n;
		uint8_t *bytes;
	}) segments;
};

/* Copies up to n bytes from a linked address on; how many there are in its segment. */
size_t wp_image_code_read(struct wp_image *image, uint64_t addr, uint8_t *ret, size_t n);
void wp_image_code_deinit(struct wp_image_code *code);

#endif
