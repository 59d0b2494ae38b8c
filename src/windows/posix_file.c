/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix_file: files by POSIX's calls (include/fcntl.h, unistd.h, stdio.h, stdlib.h), with names in
 * UTF-8 and contents as they are. open() and the others of MinGW's own names take the place of
 * those of its library.
 */
#include "base/mem.h"
#include "windows/posix_error.h"
#include "base/utf16.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <windows.h>

static DWORD disposition_of(int flags)
{
	if (flags & O_CREAT)
		return flags & O_EXCL ? CREATE_NEW : flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
	return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
}

static DWORD rights_of(int flags)
{
	if (flags & O_RDWR)
		return GENERIC_READ | GENERIC_WRITE;
	return flags & O_WRONLY ? GENERIC_WRITE : GENERIC_READ;
}

/*
 * Of MinGW's own open() a descriptor is inherited, changes line ends, and keeps others from giving
 * the file another name. Folders can be opened, to be looked at.
 */
int open(const char *path, int flags, ...)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);
	HANDLE file;
	int fd;

	if (flags & O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	file = CreateFileW(name, rights_of(flags),
			   FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
			   disposition_of(flags), FILE_FLAG_BACKUP_SEMANTICS, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return wp_posix_error();
	fd = _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT | (flags & _O_APPEND));
	if (fd < 0)
		CloseHandle(file);
	return fd;
}

/* Of F_DUPFD_CLOEXEC, the one that there is. */
int fcntl(int fd, int command, int least)
{
	(void)command, (void)least;
	return _dup(fd);
}

static ssize_t transfer_at(int fd, void *buf, size_t n, off_t offset, bool writes)
{
	OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
	HANDLE file = (HANDLE)_get_osfhandle(fd);
	DWORD part = n > INT_MAX ? INT_MAX : (DWORD)n, done = 0;

	if (offset < 0) {
		errno = EINVAL;
		return -1;
	}
	if (writes ? WriteFile(file, buf, part, &done, &at) : ReadFile(file, buf, part, &done, &at))
		return (ssize_t)done;
	return GetLastError() == ERROR_HANDLE_EOF ? 0 : wp_posix_error();
}

ssize_t pread(int fd, void *buf, size_t n, off_t offset)
{
	return transfer_at(fd, buf, n, offset, false);
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	return transfer_at(fd, (void *)buf, n, offset, true);
}

int access(const char *path, int mode)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);

	return _waccess(name, mode & ~1); /* whether it can be run is no question of rights */
}

int unlink(const char *path)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);

	return _wunlink(name);
}

int wp_posix_mkdir(const char *path)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);

	return _wmkdir(name);
}

int wp_posix_rename(const char *from, const char *to)
{
	wp_autofree wchar_t *old = wp_utf16_of(from), *new = wp_utf16_of(to);

	return MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) ? 0 : wp_posix_error();
}

int wp_posix_truncate(int fd, int64_t size)
{
	return _chsize_s(fd, size) == 0 ? 0 : -1;
}

ssize_t readlink(const char *path, char *buf, size_t n)
{
	(void)path, (void)buf, (void)n;
	errno = EINVAL;
	return -1;
}

ssize_t fgetxattr(int fd, const char *name, void *ret, size_t n)
{
	(void)fd, (void)name, (void)ret, (void)n;
	errno = ENOTSUP;
	return -1;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
	(void)from_folder, (void)from, (void)to_folder, (void)to, (void)flags;
	errno = ENOSYS;
	return -1;
}

int unlinkat(int folder, const char *name, int flags)
{
	(void)folder, (void)name, (void)flags;
	errno = ENOSYS;
	return -1;
}

/* Both kinds of slashes lead to a file; what is printed and compared has the one of all systems. */
static char *with_slashes(const wchar_t *name)
{
	char *path = wp_utf16_to(name);

	for (char *at = path; *at; at++)
		if (*at == '\\')
			*at = '/';
	return path;
}

char *realpath(const char *path, char *resolved)
{
	wp_autofree wchar_t *name = wp_utf16_of(path);
	wchar_t whole[32768]; /* the longest name there is */
	DWORD n = GetFullPathNameW(name, 32768, whole, NULL);

	(void)resolved;
	if (!n || n >= 32768 || GetFileAttributesW(whole) == INVALID_FILE_ATTRIBUTES) {
		wp_posix_error();
		return NULL;
	}
	return with_slashes(whole);
}

char *getcwd(char *buf, int size)
{
	wchar_t name[32768];
	DWORD n = GetCurrentDirectoryW(32768, name);
	wp_autofree char *path = n && n < 32768 ? with_slashes(name) : NULL;

	if (!path || strlen(path) >= (size_t)size) {
		errno = ERANGE;
		return NULL;
	}
	return strcpy(buf, path);
}

/* "XXXXXX" at the end becomes something that is not there yet. */
int mkostemp(char *name, int flags)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	size_t n = strlen(name);
	uint8_t random[6];

	for (int tries = 0; n >= sizeof(random) && tries < 100; tries++) {
		int fd;

		if (getrandom(random, sizeof(random), 0) != sizeof(random))
			return -1;
		for (size_t i = 0; i < sizeof(random); i++)
			name[n - sizeof(random) + i] = letters[random[i] % (sizeof(letters) - 1)];
		fd = open(name, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	errno = EEXIST;
	return -1;
}
