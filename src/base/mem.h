/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem: memory that is there or the program is not.
 *
 * Every size that comes from outside is bounded by its reader first, so an allocation that fails
 * here means the machine is out of memory; with Linux's overcommit nothing useful can be done about
 * it then, and these functions abort rather than burden every caller with a path nobody can test.
 */
#ifndef WP_MEM_H
#define WP_MEM_H

#include <stddef.h>

#ifndef WP_PRINTF_STYLE /* the build says so where printf() is not ISO C's by itself */
#define WP_PRINTF_STYLE printf
#endif

#define WP_CLEANUP(fn)	__attribute__((cleanup(fn)))
#define WP_PRINTF(f, a) __attribute__((format(WP_PRINTF_STYLE, f, a)))
#define WP_MUST_CHECK	__attribute__((warn_unused_result))
#define WP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Zeroed memory for n objects of size bytes; aborts on overflow or exhaustion. Free with free(). */
void *wp_calloc(size_t n, size_t size) __attribute__((malloc, alloc_size(1, 2)));
/* Zeroed memory for a table of some megabytes that is looked up all over: aligned to huge pages,
 * which it gets where the kernel has some, so that a look-up need not wait for the page tables too.
 */
void *wp_calloc_large(size_t n, size_t size) __attribute__((malloc, alloc_size(1, 2)));
/* realloc() for n objects of size bytes that aborts instead of failing. */
void *wp_realloc(void *p, size_t n, size_t size);
char *wp_strdup(const char *s) __attribute__((malloc));
char *wp_strndup(const char *s, size_t n) __attribute__((malloc));
/* asprintf() that aborts instead of failing. The caller frees. */
char *wp_asprintf(const char *fmt, ...) WP_PRINTF(1, 2);

/* For `wp_autofree char *p = ...`: freed when the scope ends. */
void wp_mem_free_(void *pp);
#define wp_autofree WP_CLEANUP(wp_mem_free_)

/* For `wp_autoclose int fd = ...`: closed when the scope ends, unless negative. */
void wp_mem_close_(int *fd);
#define wp_autoclose WP_CLEANUP(wp_mem_close_)

#endif
