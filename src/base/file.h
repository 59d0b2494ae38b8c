/* SPDX-License-Identifier: BSD-3-Clause */
/* file: whole small files, read with a bound. */
#ifndef WP_FILE_H
#define WP_FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a file (also one of /proc or /sys, whose size is unknown) of at most limit bytes. The
 * content gets a NUL behind it that is not counted. The caller frees *ret. ret_size may be NULL.
 */
struct wp_err *wp_file_read(const char *path, size_t limit, char **ret,
			    size_t *ret_size) WP_MUST_CHECK;
/* The first line of a small file without its newline, or NULL when it cannot be read. The caller
 * frees. */
char *wp_file_line(const char *path);
/* A file that holds one number (base as for strtoull); false when there is no such file or number.
 */
bool wp_file_u64(const char *path, int base, uint64_t *ret);
/* As wp_file_u64() for decimal numbers that may be negative. */
bool wp_file_i64(const char *path, int64_t *ret);
bool wp_file_exists(const char *path);

#endif
