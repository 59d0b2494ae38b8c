/* SPDX-License-Identifier: BSD-3-Clause */
/* str: see str.h. */
#include "base/str.h"

#include "base/invariant.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void reserve_bytes(struct wp_str *str, size_t more)
{
	size_t need = str->len + more + 1;

	wp_assert(need > more && (!str->cap || str->len < str->cap));
	if (need <= str->cap)
		return;
	str->cap = need > str->cap * 2 ? need : str->cap * 2;
	str->s = wp_realloc(str->s, str->cap, 1);
}

void wp_str_append(struct wp_str *str, const char *s, size_t len)
{
	reserve_bytes(str, len);
	if (len) /* an empty string of ours has no bytes to point at */
		memcpy(str->s + str->len, s, len);
	str->len += len;
	str->s[str->len] = '\0';
}

void wp_str_puts(struct wp_str *str, const char *s)
{
	wp_str_append(str, s, strlen(s));
}

void wp_str_putc(struct wp_str *str, char c)
{
	wp_str_append(str, &c, 1);
}

void wp_str_pad(struct wp_str *str, char c, size_t n)
{
	reserve_bytes(str, n);
	memset(str->s + str->len, c, n);
	str->len += n;
	str->s[str->len] = '\0';
}

void wp_str_vprintf(struct wp_str *str, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, fmt, ap);
	if (len < 0)
		abort();
	reserve_bytes(str, (size_t)len);
	vsnprintf(str->s + str->len, (size_t)len + 1, fmt, again);
	va_end(again);
	str->len += (size_t)len;
}

void wp_str_printf(struct wp_str *str, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	wp_str_vprintf(str, fmt, ap);
	va_end(ap);
}

void wp_str_commas(struct wp_str *str, uint64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			wp_str_putc(str, ',');
		wp_str_putc(str, digits[i]);
	}
}

void wp_str_deinit(struct wp_str *str)
{
	free(str->s);
	*str = (struct wp_str){0};
}

bool wp_str_eq_nocase(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

bool wp_str_has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool wp_str_has_suffix(const char *s, const char *suffix)
{
	size_t len = strlen(s), tail = strlen(suffix);

	return len >= tail && strcmp(s + len - tail, suffix) == 0;
}

const char *wp_str_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool wp_str_to_u64(const char *s, int base, uint64_t max, uint64_t *ret)
{
	char *end;

	if (!isxdigit((unsigned char)*s))
		return false;
	errno = 0;
	unsigned long long value = strtoull(s, &end, base);
	if (errno || end == s || *end || value > max)
		return false;
	*ret = value;
	return true;
}

bool wp_str_to_scale(const char *s, double *ret)
{
	double value;
	char *end;

	if (!isdigit((unsigned char)*s) && *s != '.')
		return false;
	value = strtod(s, &end);
	if (end == s || *end || !isfinite(value) || value <= 0)
		return false;
	*ret = value;
	return true;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

unsigned int wp_str_distance(const char *a, const char *b, unsigned int limit)
{
	enum { MAX = 128 };
	unsigned int row[3][MAX + 1], *before = row[0], *last = row[1], *now = row[2];
	size_t na = strlen(a), nb = strlen(b);

	if (na > MAX || nb > MAX)
		return limit + 1;
	for (size_t j = 0; j <= nb; j++)
		last[j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned int replace = last[j - 1] + (a[i - 1] != b[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1, replace);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		unsigned int *spare = before;
		before = last, last = now, now = spare;
	}
	return last[nb] > limit ? limit + 1 : last[nb];
}
