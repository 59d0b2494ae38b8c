/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_error: see posix_error.h. Codes: winerror.h, "System Error Codes". */
#include "windows/posix_error.h"

#include <errno.h>
#include <windows.h>

int wp_posix_error(void)
{
	switch (GetLastError()) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_BAD_NETPATH:
	case ERROR_INVALID_NAME: errno = ENOENT; break;
	case ERROR_ACCESS_DENIED:
	case ERROR_SHARING_VIOLATION:
	case ERROR_LOCK_VIOLATION:
	case ERROR_WRITE_PROTECT: errno = EACCES; break;
	case ERROR_ALREADY_EXISTS:
	case ERROR_FILE_EXISTS: errno = EEXIST; break;
	case ERROR_INVALID_HANDLE: errno = EBADF; break;
	case ERROR_BROKEN_PIPE:
	case ERROR_NO_DATA: errno = EPIPE; break;
	case ERROR_DISK_FULL:
	case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
	case ERROR_DIRECTORY: errno = ENOTDIR; break;
	default: errno = EINVAL; break;
	}
	return -1;
}
