/* SPDX-License-Identifier: BSD-3-Clause */
/* stdlib.h for Windows: MinGW's, with sorts that keep the order of equals, as glibc's do
 * (posix_sort.c). */
#ifndef WP_WINDOWS_STDLIB_H
#define WP_WINDOWS_STDLIB_H

#include <stddef.h>

#include_next <stdlib.h>

void wp_posix_sort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *));
void qsort_r(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
	     void *arg);
int mkostemp(char *name, int flags);
char *realpath(const char *path, char *resolved);
int setenv(const char *name, const char *value, int overwrites);

#define qsort	      wp_posix_sort
#define mkstemp(name) mkostemp(name, 0)

#endif
