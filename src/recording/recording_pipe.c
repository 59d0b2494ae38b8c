/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_pipe: see recording_pipe.h. */
#include "recording/recording_pipe.h"

#include "base/mem.h"
#include "base/scratch_file.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)1 << 20)

static bool write_to_pipe(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			return false;
		bytes += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

/* Ctrl-C is for whoever records: what it still writes is read. */
static struct wp_err *copy_pipe(int from, int to, const struct wp_watch *watch)
{
	wp_autofree char *bytes = wp_calloc(PIECE_BYTES, 1);
	uint64_t copied = 0;
	ssize_t n;

	while ((n = read(from, bytes, PIECE_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wp_err_os(errno, "cannot read the recording");
		if (!write_to_pipe(to, bytes, (size_t)n))
			return wp_err_os(errno, "cannot keep the recording in %s (TMPDIR)",
					 wp_scratch_file_folder());
		copied += (uint64_t)n;
		wp_watch_tell(watch, copied);
	}
	return NULL;
}

struct wp_err *wp_recording_pipe_keep(int from, const struct wp_watch *watch, int *ret)
{
	wp_autoclose int fd = wp_scratch_file_open();

	if (fd < 0)
		return wp_err_os(errno, "cannot keep the recording in %s (TMPDIR)",
				 wp_scratch_file_folder());
	TRY(copy_pipe(from, fd, watch));
	*ret = fd;
	fd = -1;
	return NULL;
}
