/* SPDX-License-Identifier: BSD-3-Clause */
/* str: a growing string, and the few string questions asked everywhere. */
#ifndef WP_STR_H
#define WP_STR_H

#include "base/mem.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* An all-zero str is empty and usable; `s` is NUL-terminated once something was appended. */
struct wp_str {
	char *s;
	size_t len, cap;
};

void wp_str_append(struct wp_str *str, const char *s, size_t len);
void wp_str_puts(struct wp_str *str, const char *s);
void wp_str_putc(struct wp_str *str, char c);
/* Appends c n times. */
void wp_str_pad(struct wp_str *str, char c, size_t n);
void wp_str_printf(struct wp_str *str, const char *fmt, ...) WP_PRINTF(2, 3);
void wp_str_vprintf(struct wp_str *str, const char *fmt, va_list ap) WP_PRINTF(2, 0);
/* Appends 1,234,567. */
void wp_str_commas(struct wp_str *str, uint64_t value);
void wp_str_deinit(struct wp_str *str);
/* For `wp_autostr struct wp_str s = {0};`. */
#define wp_autostr WP_CLEANUP(wp_str_deinit)

bool wp_str_eq_nocase(const char *a, const char *b);
bool wp_str_has_prefix(const char *s, const char *prefix);
bool wp_str_has_suffix(const char *s, const char *suffix);
/* The part of a path behind its last '/'. */
const char *wp_str_basename(const char *path);

/*
 * Parses the whole of s as an unsigned number (base as for strtoull; no sign, no leading blank).
 * False, and *ret untouched, when anything else is in it or it is larger than max.
 */
bool wp_str_to_u64(const char *s, int base, uint64_t max, uint64_t *ret);

/* Parses the whole of s as a factor: positive and finite, with a point as its decimal mark. */
bool wp_str_to_scale(const char *s, double *ret);

/* Edit distance of two names (insert, delete, replace, swap), at most limit + 1; for "did you
 * mean". */
unsigned int wp_str_distance(const char *a, const char *b, unsigned int limit);

#endif
