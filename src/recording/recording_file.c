/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_file: see recording_file.h. */
#include "recording/recording_file.h"

#include "format/perf/perf_record.h"
#include "recording/recording_pipe.h"
#include "recording/recording_raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is read is still in the cache of the CPU when it is taken apart. */
#define WINDOW_BYTES ((size_t)128 << 10)
#define WINDOW_LEAST ((size_t)512)
#define FAR	     ((uint64_t)4096) /* what is skipped from here on costs more than a read(2) */
#define HEAD_BYTES   16		      /* of a record: what says how long it is and what trails it */

/* *ret_piped: it is a copy of what came. */
static struct wp_err *open_stdin(const struct wp_watch *watch, int *ret, bool *ret_piped)
{
	struct stat st;

	if (isatty(STDIN_FILENO))
		return wp_err_new(WP_ERR_USAGE,
				  "-i -: standard input is a terminal, not a recording");
	*ret_piped = fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode);
	if (*ret_piped)
		return wp_err_prefix(wp_recording_pipe_keep(STDIN_FILENO, watch, ret), "-i -");
	*ret = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	return NULL;
}

static struct wp_err *check_recording_file(const char *path, const struct stat *st, bool any_owner)
{
	if (S_ISDIR(st->st_mode))
		return wp_err_new(WP_ERR_UNSUPPORTED, "%s is a folder, not a recording", path);
	if (!S_ISREG(st->st_mode))
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "%s is not a regular file; a pipe is read with -i -", path);
	if (!any_owner && st->st_uid != 0 && st->st_uid != geteuid())
		return wp_err_new(WP_ERR_PERMISSION,
				  "File %s not owned by current user or root (use -f to override)",
				  path);
	return NULL;
}

/* What Arm SPE wrote becomes a recording of it. */
static struct wp_err *wrap_raw(const char *path, const struct wp_watch *watch, int *fd,
			       struct stat *st)
{
	int wrapped;

	if (!wp_recording_raw_is(*fd))
		return NULL;
	TRY(wp_err_prefix(wp_recording_raw_wrap(*fd, watch, &wrapped), "%s", path));
	close(*fd);
	*fd = wrapped;
	return fstat(wrapped, st) == 0 ? NULL : wp_err_os(errno, "cannot open %s", path);
}

struct wp_err *wp_recording_file_open(const char *path, bool any_owner,
				      const struct wp_watch *watch, struct wp_recording_file *ret)
{
	bool is_stdin = strcmp(path, WP_RECORDING_STDIN) == 0, piped = false;
	wp_autoclose int fd = -1;
	struct stat st;

	if (is_stdin)
		TRY(open_stdin(watch, &fd, &piped));
	else /* a FIFO would block here until somebody writes to it */
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) != 0)
		return wp_err_os(errno, "cannot open %s", path);
	TRY(check_recording_file(path, &st, any_owner || is_stdin));
	TRY(wrap_raw(path, watch, &fd, &st));
	*ret = (struct wp_recording_file){
		.fd = fd,
		.size = (uint64_t)st.st_size,
		.has_owner = !piped,
		.owner = st.st_uid,
	};
	fd = -1;
	return NULL;
}

void wp_recording_file_deinit(struct wp_recording_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->window);
	wp_recording_packed_deinit(&file->packed);
	*file = (struct wp_recording_file){.fd = -1};
}

struct wp_err *wp_recording_file_read(const struct wp_recording_file *file, uint64_t at,
				      void *bytes, size_t n, size_t *ret_n)
{
	size_t filled = 0;

	while (filled < n) {
		ssize_t got = pread(file->fd, (uint8_t *)bytes + filled, n - filled,
				    (off_t)(at + filled));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wp_err_os(errno, "cannot read at %llu", (unsigned long long)at);
		if (got == 0)
			break;
		filled += (size_t)got;
	}
	*ret_n = filled;
	return NULL;
}

/*
 * Copies of stacks that nobody needs are most of a recording: where the next record is far behind
 * what was read, little is read there; reads grow again when records follow one another.
 */
static size_t next_window(const struct wp_recording_file *file, uint64_t at, size_t want)
{
	uint64_t end = file->window_at + file->window_filled;
	size_t bytes = file->window_bytes * 2;

	if (file->window_filled && at > end && at - end >= FAR)
		bytes = WINDOW_LEAST;
	if (bytes < want)
		bytes = want;
	return !file->window_filled || bytes > WINDOW_BYTES ? WINDOW_BYTES : bytes;
}

static struct wp_err *move_window(struct wp_recording_file *file, uint64_t at, size_t want)
{
	size_t room = file->size < WINDOW_BYTES ? (size_t)file->size : WINDOW_BYTES;

	if (!file->window)
		file->window = wp_calloc(room + 1, 1);
	file->window_bytes = next_window(file, at, want);
	if (file->window_bytes > room)
		file->window_bytes = room;
	file->window_filled = 0;
	file->window_at = at;
	return wp_recording_file_read(file, at, file->window, file->window_bytes,
				      &file->window_filled);
}

static inline bool in_window(const struct wp_recording_file *file, uint64_t at, size_t want)
{
	uint64_t skip = at - file->window_at;

	return skip <= file->window_filled && file->window_filled - (size_t)skip >= want;
}

struct wp_err *wp_recording_file_peek(struct wp_recording_file *file, uint64_t at, size_t want,
				      const uint8_t **ret, size_t *ret_n)
{
	size_t left;

	if (want > WINDOW_BYTES)
		want = WINDOW_BYTES;
	if (at > file->size)
		at = file->size;
	if (want > file->size - at)
		want = (size_t)(file->size - at);
	if (!in_window(file, at, want))
		TRY(move_window(file, at, want));
	left = file->window_filled - (size_t)(at - file->window_at);
	*ret = file->window ? file->window + (at - file->window_at) : (const uint8_t *)"";
	*ret_n = left < want ? left : want;
	return NULL;
}

void wp_recording_file_rewind(struct wp_recording_file *file)
{
	wp_recording_packed_deinit(&file->packed);
}

static size_t wanted_bytes(const struct wp_recording_file *file,
			   const struct wp_perfdata_record *record)
{
	bool cut = record->type == WP_PERF_RECORD_SAMPLE && file->sample_bytes &&
		   file->sample_bytes < record->size;

	return cut ? file->sample_bytes : record->size;
}

/* The bytes at an offset, fewer than were wanted at the end of the file: most are there already. */
static inline struct wp_err *view_file_bytes(struct wp_recording_file *file, uint64_t at,
					     size_t want, const uint8_t **ret, size_t *ret_n)
{
	if (!in_window(file, at, want) || !file->window)
		return wp_recording_file_peek(file, at, want, ret, ret_n);
	*ret = file->window + (at - file->window_at);
	*ret_n = want;
	return NULL;
}

/* The record as it lies in the file. */
static struct wp_err *read_file_record(struct wp_recording_file *file, uint64_t *at, uint64_t end,
				       struct wp_perfdata_record *ret, const uint8_t **ret_bytes)
{
	uint64_t stop = end < file->size ? end : file->size;
	uint64_t left = *at < stop ? stop - *at : 0;
	size_t n = left < WP_PERFDATA_RECORD_MAX ? (size_t)left : WP_PERFDATA_RECORD_MAX, seen;
	const uint8_t *bytes = NULL;

	*ret_bytes = NULL;
	TRY(view_file_bytes(file, *at, n < HEAD_BYTES ? n : HEAD_BYTES, &bytes, &seen));
	/* Fewer: the file ends here, perhaps earlier than it did when it was opened. */
	switch (wp_perfdata_record_read(bytes, seen < HEAD_BYTES ? seen : n, ret)) {
	case WP_PERFDATA_BROKEN:
		return wp_err_new(WP_ERR_FORMAT, "no record begins at offset %llu",
				  (unsigned long long)*at);
	case WP_PERFDATA_CUT: return NULL;
	default: break;
	}
	n = wanted_bytes(file, ret);
	TRY(view_file_bytes(file, *at, n, &bytes, &seen));
	if (seen < n)
		return NULL;
	*at += ret->size;
	*at = ret->trailing < UINT64_MAX - *at ? *at + ret->trailing : UINT64_MAX;
	*ret_bytes = bytes;
	return NULL;
}

static bool is_packed(const struct wp_perfdata_record *record)
{
	return record->type == WP_PERFDATA_COMPRESSED_RECORD ||
	       record->type == WP_PERFDATA_COMPRESSED_RECORD2;
}

struct wp_err *wp_recording_file_record(struct wp_recording_file *file, uint64_t *at, uint64_t end,
					struct wp_perfdata_record *ret, const uint8_t **ret_bytes)
{
	for (;;) {
		if (wp_recording_packed_has(&file->packed)) {
			TRY(wp_recording_packed_next(&file->packed, ret, ret_bytes));
			if (*ret_bytes)
				return NULL;
		}
		TRY(read_file_record(file, at, end, ret, ret_bytes));
		if (!*ret_bytes || !is_packed(ret))
			return NULL;
		TRY(wp_recording_packed_add(&file->packed, ret, *ret_bytes));
	}
}

struct wp_err *wp_recording_file_section(struct wp_recording_file *file,
					 struct wp_perfdata_section section, size_t limit,
					 uint8_t **ret)
{
	wp_autofree uint8_t *bytes = NULL;
	size_t n = 0;

	if (section.offset > file->size || section.size > file->size - section.offset)
		return wp_err_new(WP_ERR_FORMAT, "a section lies behind the end of the file");
	if (section.size > limit)
		return wp_err_new(WP_ERR_LIMIT, "a section has %llu bytes, at most %zu are read",
				  (unsigned long long)section.size, limit);
	bytes = wp_calloc((size_t)section.size + 1, 1);
	TRY(wp_recording_file_read(file, section.offset, bytes, (size_t)section.size, &n));
	if (n != section.size)
		return wp_err_new(WP_ERR_FORMAT, "the file was cut while it was read");
	*ret = bytes;
	bytes = NULL;
	return NULL;
}
