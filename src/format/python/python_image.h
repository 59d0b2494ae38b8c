/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_image: an ELF image without code that names Python functions and lines for stock tools.
 *
 * Format stage, pure. In: functions by number and the lines of them that occur. Out: a shared
 * object whose .text takes up address space but no bytes, with a symbol for each function
 * (its qualified name), and a DWARF 4 line table with a row for each line. Linked addresses equal
 * file positions, so that tools which mix the two up find the same thing.
 */
#ifndef WP_PYTHON_IMAGE_H
#define WP_PYTHON_IMAGE_H

#include "base/str.h"
#include "format/perf/perfdata_notes.h"

/* An address of the image (below WP_PERFDATA_PYTHON_BYTES) and its line. */
struct wp_python_image_line {
	uint64_t address;
	uint32_t file; /* index */
	uint32_t line;
};

struct wp_python_image {
	const char *const *names; /* of function 1, 2, ... n */
	size_t n;
	const char *const *files;
	size_t n_files;
	const struct wp_python_image_line *lines; /* sorted by address */
	size_t n_lines;
	bool arm64;
	uint8_t build_id[20];
};

void wp_python_image_put(struct wp_str *out, const struct wp_python_image *image);

#define WP_PYTHON_IMAGE_HEAD 512 /* bytes of its beginning that say whether it is one */
/* True for the beginning of what wp_python_image_put() made: it has a note of wperf's. */
bool wp_python_image_is(const void *head, size_t size);

#endif
