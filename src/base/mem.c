/* SPDX-License-Identifier: BSD-3-Clause */
/* mem: allocation that aborts instead of failing; see mem.h for why. */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *check(void *p)
{
	if (!p)
		abort();
	return p;
}

void *wp_calloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *wp_realloc(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		abort();
	return check(realloc(p, bytes ? bytes : 1));
}

char *wp_strdup(const char *s)
{
	return check(strdup(s));
}

char *wp_strndup(const char *s, size_t n)
{
	return check(strndup(s, n));
}

char *wp_asprintf(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		abort();
	va_end(ap);
	return s;
}

void wp_mem_free_(void *pp)
{
	free(*(void **)pp);
}

void wp_mem_close_(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
