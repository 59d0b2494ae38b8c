/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_file_win: see scratch_file.h. */
#include "base/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

const char *wp_scratch_file_folder(void)
{
	return "the folder of temporary files";
}

int wp_scratch_file_open(void)
{
	wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
	HANDLE file;

	errno = EIO;
	if (!GetTempPathW(MAX_PATH, folder) || !GetTempFileNameW(folder, L"wpf", 0, name))
		return -1;
	file = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
			   NULL, CREATE_ALWAYS,
			   FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return -1;
	return _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT);
}
