/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording_folder: a recording that is a folder, as `perf record --threads` and `--kcore` make it.
 *
 * Source stage. "data" is a perf.data as any other; beside it lie, with --threads, files of records
 * without a header, "data.0", "data.1", ..., one for each ring and so in order of time each, and
 * with --kcore the kernel's code, which is not looked at. Of all files together the next piece is
 * always read where time is furthest behind: what has been passed by all of them is in order.
 */
#ifndef WP_RECORDING_FOLDER_H
#define WP_RECORDING_FOLDER_H

#include "base/vec.h"
#include "recording/recording_file.h"

struct wp_recording_part {
	struct wp_recording_file file;
	uint64_t at;
	uint64_t youngest_ns; /* of the records read of it */
	bool at_end;
};

/* All-zero is a recording that is one file. */
struct wp_recording_folder {
	WP_VEC(struct wp_recording_part) parts;
};

/*
 * The file whose header says what the recording is: path itself, or, of a folder, its "data". The
 * caller frees *ret.
 */
struct wp_err *wp_recording_folder_find(const char *path, char **ret) WP_MUST_CHECK;
/* Opens the files beside a folder's "data"; nothing to do of what is no folder. The caller deinits,
 * also after a failure. */
struct wp_err *wp_recording_folder_open(const char *path, bool any_owner,
					struct wp_recording_folder *ret) WP_MUST_CHECK;
/* Before the first record is read, again or for the first time. */
void wp_recording_folder_rewind(struct wp_recording_folder *folder);
/* Bytes of all files. */
uint64_t wp_recording_folder_bytes(const struct wp_recording_folder *folder);
/* The part that is to be read next; NULL: all are at their end. */
struct wp_recording_part *wp_recording_folder_next(struct wp_recording_folder *folder);
/* Up to this time all have been read. */
uint64_t wp_recording_folder_horizon_ns(const struct wp_recording_folder *folder);
void wp_recording_folder_deinit(struct wp_recording_folder *folder);

#endif
