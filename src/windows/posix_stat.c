/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_stat: what POSIX says of a file (include/sys/stat.h). */
#include "base/mem.h"
#include "windows/posix_error.h"
#include "base/utf16.h"

#include <io.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <windows.h>

#define TICKS_PER_S 10000000ull
#define TO_1970_S   11644473600ll /* from 1601, when FILETIME begins */
#define BLOCK	    512

static struct timespec time_of(FILETIME time)
{
	uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;

	return (struct timespec){.tv_sec = (time_t)(ticks / TICKS_PER_S) - TO_1970_S,
				 .tv_nsec = (long)(ticks % TICKS_PER_S * 100)};
}

static mode_t posix_mode_of(DWORD attributes)
{
	mode_t rights = attributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0644;

	return attributes & FILE_ATTRIBUTE_DIRECTORY ? _S_IFDIR | 0755 : _S_IFREG | rights;
}

static int stat_handle(HANDLE file, struct wp_posix_stat *ret)
{
	BY_HANDLE_FILE_INFORMATION info;
	DWORD type = GetFileType(file);

	memset(ret, 0, sizeof(*ret));
	if (type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE) {
		ret->st_mode = type == FILE_TYPE_CHAR ? _S_IFCHR | 0600 : _S_IFIFO | 0600;
		return 0;
	}
	if (!GetFileInformationByHandle(file, &info))
		return wp_posix_error();
	ret->st_dev = info.dwVolumeSerialNumber;
	ret->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
	ret->st_mode = posix_mode_of(info.dwFileAttributes);
	ret->st_nlink = info.nNumberOfLinks;
	ret->st_uid = geteuid();
	ret->st_size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
	ret->st_blocks = (ret->st_size + BLOCK - 1) / BLOCK;
	ret->st_mtim = time_of(info.ftLastWriteTime);
	ret->st_ctim = ret->st_mtim;
	return 0;
}

int wp_posix_fstat(int fd, struct wp_posix_stat *ret)
{
	return stat_handle((HANDLE)_get_osfhandle(fd), ret);
}

int wp_posix_stat(const char *path, struct wp_posix_stat *ret)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);
	HANDLE file = CreateFileW(name, FILE_READ_ATTRIBUTES,
				  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
				  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	int status;

	if (file == INVALID_HANDLE_VALUE)
		return wp_posix_error();
	status = stat_handle(file, ret);
	CloseHandle(file);
	return status;
}
