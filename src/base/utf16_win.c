/* SPDX-License-Identifier: BSD-3-Clause */
/* utf16_win: see utf16.h. */
#include "base/utf16.h"

#include "base/mem.h"

#include <windows.h>

wchar_t *wp_utf16_of(const char *utf8)
{
	int n = MultiByteToWideChar(CP_UTF8, 0, utf8, -1, NULL, 0);
	wchar_t *ret = wp_calloc((size_t)n + 1, sizeof(*ret));

	MultiByteToWideChar(CP_UTF8, 0, utf8, -1, ret, n);
	return ret;
}

char *wp_utf16_to(const wchar_t *utf16)
{
	int n = WideCharToMultiByte(CP_UTF8, 0, utf16, -1, NULL, 0, NULL, NULL);
	char *ret = wp_calloc((size_t)n + 1, 1);

	WideCharToMultiByte(CP_UTF8, 0, utf16, -1, ret, n, NULL, NULL);
	return ret;
}
