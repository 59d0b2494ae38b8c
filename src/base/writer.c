/* SPDX-License-Identifier: BSD-3-Clause */
/* writer: see writer.h. */
#include "base/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_BYTES (64 * 1024)

struct wp_writer {
	int fd; /* -1: memory only */
	bool owns_fd;
	int error; /* errno of the first failure */
	char *name;
	struct wp_str own, *out;
	struct wp_watch watch;
	uint64_t flushed;
};

static struct wp_writer *make_writer(int fd, bool owns_fd, const char *name)
{
	struct wp_writer *w = wp_calloc(1, sizeof(*w));

	w->fd = fd;
	w->owns_fd = owns_fd;
	w->name = wp_strdup(name);
	w->out = &w->own;
	return w;
}

static struct wp_err *open_output_file(const char *path, int flags, struct wp_writer **ret)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);

	if (fd < 0)
		return wp_err_os(errno, "Unable to open %s", path);
	*ret = make_writer(fd, true, path);
	return NULL;
}

struct wp_err *wp_writer_open(const char *path, struct wp_writer **ret)
{
	return open_output_file(path, O_TRUNC, ret);
}

struct wp_err *wp_writer_create(const char *path, struct wp_writer **ret)
{
	return open_output_file(path, O_EXCL, ret);
}

struct wp_err *wp_writer_append(const char *path, struct wp_writer **ret)
{
	return open_output_file(path, O_APPEND, ret);
}

struct wp_writer *wp_writer_of_fd(int fd, const char *name)
{
	return make_writer(fd, false, name);
}

struct wp_writer *wp_writer_of_str(struct wp_str *str)
{
	struct wp_writer *w = make_writer(-1, false, "memory");

	w->out = str;
	return w;
}

void wp_writer_flush(struct wp_writer *w)
{
	size_t done = 0;

	if (w->fd < 0)
		return;
	while (!w->error && done < w->out->len) {
		ssize_t n = write(w->fd, w->out->s + done, w->out->len - done);

		if (n < 0 && errno != EINTR)
			w->error = errno;
		else if (n > 0)
			done += (size_t)n;
	}
	w->out->len = 0;
	w->flushed += done;
	wp_watch_tell(&w->watch, w->flushed);
}

void wp_writer_watch(struct wp_writer *w, struct wp_watch watch)
{
	w->watch = watch;
}

static void flush_if_full(struct wp_writer *w)
{
	if (w->out->len >= FLUSH_BYTES)
		wp_writer_flush(w);
}

void wp_writer_put(struct wp_writer *w, const void *bytes, size_t n)
{
	wp_str_append(w->out, bytes, n);
	flush_if_full(w);
}

void wp_writer_puts(struct wp_writer *w, const char *s)
{
	wp_writer_put(w, s, strlen(s));
}

void wp_writer_printf(struct wp_writer *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	wp_str_vprintf(w->out, fmt, ap);
	va_end(ap);
	flush_if_full(w);
}

bool wp_writer_failed(const struct wp_writer *w)
{
	return w->error != 0;
}

bool wp_writer_is_terminal(const struct wp_writer *w)
{
	return w->fd >= 0 && isatty(w->fd);
}

struct wp_err *wp_writer_close(struct wp_writer *w)
{
	struct wp_err *err = NULL;

	if (!w)
		return NULL;
	wp_writer_flush(w);
	if (w->owns_fd && close(w->fd) < 0 && !w->error)
		w->error = errno;
	if (w->error)
		err = wp_err_os(w->error, "cannot write %s", w->name);
	wp_str_deinit(&w->own);
	free(w->name);
	free(w);
	return err;
}
