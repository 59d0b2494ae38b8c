/* SPDX-License-Identifier: BSD-3-Clause */
/* err: error objects; see err.h. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wp_err *make_error(enum wp_err_code code, int os_errno, const char *fmt, va_list ap)
{
	struct wp_err *err = wp_calloc(1, sizeof(*err));

	err->code = code;
	err->os_errno = os_errno;
	if (vasprintf(&err->text, fmt, ap) < 0)
		abort();
	return err;
}

struct wp_err *wp_err_new(enum wp_err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct wp_err *err = make_error(code, 0, fmt, ap);
	va_end(ap);
	return err;
}

struct wp_err *wp_err_os(int os_errno, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct wp_err *err = make_error(WP_ERR_OS, os_errno, fmt, ap);
	va_end(ap);
	wp_autofree char *head = err->text;
	err->text = wp_asprintf("%s: %s", head, strerror(os_errno));
	return err;
}

struct wp_err *wp_err_prefix(struct wp_err *err, const char *fmt, ...)
{
	va_list ap;
	wp_autofree char *head = NULL;

	if (!err)
		return NULL;
	va_start(ap, fmt);
	if (vasprintf(&head, fmt, ap) < 0)
		abort();
	va_end(ap);
	wp_autofree char *tail = err->text;
	err->text = wp_asprintf("%s: %s", head, tail);
	return err;
}

void wp_err_free(struct wp_err *err)
{
	if (!err)
		return;
	free(err->text);
	free(err);
}

void wp_err_free_(struct wp_err **err)
{
	wp_err_free(*err);
}
