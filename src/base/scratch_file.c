/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_file: see scratch_file.h. */
#include "base/scratch_file.h"

#include "base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

const char *wp_scratch_file_folder(void)
{
	const char *own = getenv("TMPDIR");

	return own && *own ? own : "/tmp";
}

/* Not every file system has files without names. */
int wp_scratch_file_open(void)
{
	int fd = open(wp_scratch_file_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) {
		wp_autofree char *path = wp_asprintf("%s/wperf-XXXXXX", wp_scratch_file_folder());

		fd = mkostemp(path, O_CLOEXEC);
		if (fd >= 0)
			unlink(path);
	}
	return fd;
}
