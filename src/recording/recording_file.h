/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_file: the bytes of a recording, read in pieces of bounded size.
 *
 * Source stage. Recordings are often larger than memory and may be cut while they are read, so that
 * nothing is mapped: one window is moved over the file with pread(2).
 */
#ifndef WP_RECORDING_FILE_H
#define WP_RECORDING_FILE_H

#include "base/watch.h"
#include "format/perf/perfdata.h"
#include "recording/recording_packed.h"

struct wp_recording_file {
	int fd; /* -1: not open */
	uint64_t size;
	bool has_owner; /* false: it came through a pipe */
	uint32_t owner;
	uint8_t *window;      /* NULL: nothing was read yet */
	uint64_t window_at;   /* offset of its first byte */
	size_t window_filled; /* bytes of it that are the file's */
	size_t window_bytes;  /* as many are read at once; grows while nothing is skipped */
	/* Of a sample so many bytes are needed: the rest is not even read; 0: all are. */
	size_t sample_bytes;
	struct wp_recording_packed packed;
};

#define WP_RECORDING_STDIN "-"

/*
 * Opens a regular file, of root and of our user only unless any_owner, or standard input, whatever
 * it is; the watch is told of what comes through a pipe. The caller deinits *ret.
 */
struct wp_err *wp_recording_file_open(const char *path, bool any_owner,
				      const struct wp_watch *watch,
				      struct wp_recording_file *ret) WP_MUST_CHECK;
void wp_recording_file_deinit(struct wp_recording_file *file);

/*
 * The bytes at an offset: up to `want` (at most 64 KiB), fewer at the end of the file. Borrowed
 * until the next call.
 */
struct wp_err *wp_recording_file_peek(struct wp_recording_file *file, uint64_t at, size_t want,
				      const uint8_t **ret, size_t *ret_n) WP_MUST_CHECK;
/* Bytes beside the window: as much as there is; *ret_n is smaller than n only at the end of the
 * file. */
struct wp_err *wp_recording_file_read(const struct wp_recording_file *file, uint64_t at,
				      void *bytes, size_t n, size_t *ret_n) WP_MUST_CHECK;
/*
 * The record at *at, which moves behind it and what trails it; of a sample at least sample_bytes
 * are there. A compressed one gives all that are in it, one after the other. *ret_bytes is NULL
 * where the records end, at `end` or because the file does; borrowed until the next call. An error
 * where no record begins.
 */
struct wp_err *wp_recording_file_record(struct wp_recording_file *file, uint64_t *at, uint64_t end,
					struct wp_perfdata_record *ret,
					const uint8_t **ret_bytes) WP_MUST_CHECK;
/* Before records are read from a place that is not behind the one read last. */
void wp_recording_file_rewind(struct wp_recording_file *file);
/* A whole section of at most limit bytes; the caller frees *ret. */
struct wp_err *wp_recording_file_section(struct wp_recording_file *file,
					 struct wp_perfdata_section section, size_t limit,
					 uint8_t **ret) WP_MUST_CHECK;

#endif
