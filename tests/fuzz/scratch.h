/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch: files for harnesses of what opens files itself: a folder in memory that nobody else
 * uses, gone at the end.
 */
#ifndef WP_FUZZ_SCRATCH_H
#define WP_FUZZ_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char scratch_path[] = "/dev/shm/wperf-fuzz-XXXXXX";

static inline int scratch_remove_one(const char *path, const struct stat *st, int kind,
				     struct FTW *ftw)
{
	(void)st, (void)kind, (void)ftw;
	return remove(path);
}

static inline void scratch_remove(void)
{
	nftw(scratch_path, scratch_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The folder; made at the first call. */
static inline const char *scratch_folder(void)
{
	static int made;

	if (!made++) {
		if (!mkdtemp(scratch_path))
			abort();
		atexit(scratch_remove);
	}
	return scratch_path;
}

/* Makes the file's contents these. */
static inline void scratch_fill(int fd, const uint8_t *data, size_t size)
{
	if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
}

/* A file without a name; the caller's. */
static inline int scratch_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzzed", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	scratch_fill(fd, data, size);
	return fd;
}

#endif
