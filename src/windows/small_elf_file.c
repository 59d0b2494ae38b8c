/* SPDX-License-Identifier: BSD-3-Clause */
/* small_elf_file: see small_elf_file.h. A file that is mapped cannot be cut on Windows. */
#include "windows/small_elf_file.h"

#include "windows/small_elf_parts.h"

#include <io.h>
#include <windows.h>

static void *map_file(HANDLE file, size_t *ret_size)
{
	LARGE_INTEGER size;
	HANDLE mapping;
	void *bytes = NULL;

	if (!GetFileSizeEx(file, &size) || size.QuadPart <= 0)
		return NULL;
	mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
	if (!mapping)
		return NULL;
	bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, (SIZE_T)size.QuadPart);
	CloseHandle(mapping); /* the view keeps it */
	*ret_size = (size_t)size.QuadPart;
	return bytes;
}

struct wp_small_elf *wp_small_elf_open(int fd)
{
	struct wp_small_elf *elf = NULL;
	size_t size = 0;
	void *bytes = fd < 0 ? NULL : map_file((HANDLE)_get_osfhandle(fd), &size);

	if (bytes)
		elf = wp_small_elf_new(bytes, size);
	if (elf)
		elf->mapped = bytes;
	else if (bytes)
		UnmapViewOfFile(bytes);
	return elf;
}

void wp_small_elf_close(struct wp_small_elf *elf)
{
	void *mapped = elf ? elf->mapped : NULL;

	wp_small_elf_free(elf);
	if (mapped)
		UnmapViewOfFile(mapped);
}
