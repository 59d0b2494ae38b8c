/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_image: where in a file a probe's function, line, marker or address is.
 *
 * Resolve stage. Addresses are as linked; they become places in the file, which is what the kernel
 * wants. The kernel overwrites an instruction there, so that a place must be where one begins.
 */
#ifndef WP_PROBE_IMAGE_H
#define WP_PROBE_IMAGE_H

#include "base/log.h"
#include "base/nearest.h"
#include "core/probe.h"
#include "format/elf/elf_file.h"
#include "resolve/lines/line_asker.h"
#include "resolve/probe/probe_file.h"
#include "resolve/symbols/symfile.h"

struct wp_probe_address {
	uint64_t at, size; /* size: of the function from there on; 0: not known */
	uint64_t semaphore;
	const char *arguments; /* of a marker, as its note has them; lives as long as the image */
};

/* A file in which a probe is looked for; on the heap, since a thread that is left keeps it. */
struct wp_probe_image {
	const char *event; /* for messages */
	const struct wp_probe_file *file;
	const struct wp_log *log;
	struct wp_elf_file elf;
	struct wp_symfile_source source;
	struct wp_symfile symbols;
	struct wp_budget budget;
	WP_VEC(struct wp_probe_address) found;
	struct wp_nearest nearest; /* name that is like the one that was not found */
	bool is_left;		   /* a thread that nobody waits for has all of it */
};

struct wp_err *wp_probe_image_open(const char *event, const struct wp_probe *probe,
				   const struct wp_probe_file *file, const struct wp_log *log,
				   struct wp_probe_image *ret) WP_MUST_CHECK;
void wp_probe_image_close(struct wp_probe_image *image);

/* Appends to `found` the functions of that name: raw, as people write it, or with a '*'. */
void wp_probe_image_functions(struct wp_probe_image *image, const char *name);
/* Appends the places of a marker; provider NULL: any. */
void wp_probe_image_markers(struct wp_probe_image *image, const char *provider, const char *name);
/*
 * Of a line: of the source file `name`, or (function not NULL) counted from the line where that
 * function begins. WP_ERR_NOT_FOUND with what there is. libdw is asked on a thread that may be left
 * (line_asker): the image `is_left` then, and must not be closed.
 */
struct wp_err *wp_probe_image_lines(struct wp_probe_image *image, struct wp_line_asker *asker,
				    const char *name, const struct wp_probe_address *function,
				    uint32_t line) WP_MUST_CHECK;
/* Fails when no instruction begins there; warns when that cannot be told. */
struct wp_err *wp_probe_image_check(struct wp_probe_image *image, uint64_t at) WP_MUST_CHECK;
/* The place in the file; false: nothing of it is there (or, with `code`, no code is). */
bool wp_probe_image_offset(const struct wp_probe_image *image, uint64_t at, bool code,
			   uint64_t *ret);

#endif
