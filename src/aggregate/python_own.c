/* SPDX-License-Identifier: BSD-3-Clause */
/* python_own: see python_own.h. */
#include "aggregate/python_own.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Folders' names as they are compared: of Windows too, and whatever their case. */
static bool same_name(const char *part, size_t n, const char *name)
{
	return n == strlen(name) && strncasecmp(part, name, n) == 0;
}

static size_t skip_digits(const char *text, size_t at, size_t n)
{
	while (at < n && isdigit((unsigned char)text[at]))
		at++;
	return at;
}

/* python3.12, python3.13t, Python312, python312.zip */
static bool names_python(const char *part, size_t n)
{
	size_t at = strlen("python"), digits;

	if (n <= at || strncasecmp(part, "python", at) != 0)
		return false;
	digits = skip_digits(part, at, n);
	if (digits == at)
		return false;
	if (digits < n && part[digits] == '.' && !same_name(&part[digits], n - digits, ".zip"))
		digits = skip_digits(part, digits + 1, n);
	if (digits < n && part[digits] == 't')
		digits++;
	return digits == n || same_name(&part[digits], n - digits, ".zip");
}

static bool is_zip(const char *part, size_t n)
{
	return n > 4 && same_name(&part[n - 4], 4, ".zip");
}

static bool is_lib(const char *part, size_t n)
{
	return same_name(part, n, "lib") || same_name(part, n, "lib64");
}

/* Two folders, one in the other, of which the standard library's path has such a pair. */
static bool holds_stdlib(const char *outer, size_t n_outer, const char *inner, size_t n_inner)
{
	if (names_python(inner, n_inner) && (is_lib(outer, n_outer) || is_zip(inner, n_inner)))
		return true;
	return names_python(outer, n_outer) && is_lib(inner, n_inner); /* C:\Python312\Lib */
}

static bool is_generated_file(const char *file)
{
	static const char *const makers[] = {"<frozen ", "<__array_function__", "<attrs generated",
					     "<decorator-gen"};

	for (size_t i = 0; i < WP_ARRAY_LEN(makers); i++)
		if (wp_str_has_prefix(file, makers[i]))
			return true;
	return false;
}

static bool holds_packages(const char *part, size_t n)
{
	return same_name(part, n, "site-packages") || same_name(part, n, "dist-packages");
}

bool wp_python_own(const char *file)
{
	const char *outer = "", *part = file;
	size_t n_outer = 0, n;

	if (!*file || is_generated_file(file))
		return false;
	for (; n = strcspn(part, "/\\"), part[n]; part += n + 1) {
		if (holds_packages(part, n) || holds_stdlib(outer, n_outer, part, n))
			return false;
		outer = part;
		n_outer = n;
	}
	return true;
}

size_t wp_python_own_package(const char *file)
{
	const char *part = file, *last = NULL;
	size_t n;

	for (; n = strcspn(part, "/\\"), part[n]; part += n + 1)
		if (holds_packages(part, n))
			last = part + n + 1;
	return last ? (size_t)(last - file) + strcspn(last, "/\\") : 0;
}

bool wp_python_own_is_starter(const char *file)
{
	const char *outer = "", *part = file;
	size_t n_outer = 0, n;

	for (; n = strcspn(part, "/\\"), part[n]; part += n + 1) {
		outer = part;
		n_outer = n;
	}
	return n && !memchr(part, '.', n) &&
	       (same_name(outer, n_outer, "bin") || same_name(outer, n_outer, "Scripts"));
}
