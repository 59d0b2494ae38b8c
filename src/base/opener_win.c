/* SPDX-License-Identifier: BSD-3-Clause */
/* opener_win: see opener.h. */
#include "base/opener.h"

#include "base/mem.h"
#include "base/utf16.h"

#include <windows.h>

#include <shellapi.h> /* behind windows.h */

bool wp_open_on_desktop(const char *path)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);

	return (INT_PTR)ShellExecuteW(NULL, L"open", name, NULL, NULL, SW_SHOWNORMAL) > 32;
}
