/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writer: where bytes go out, a file, a stream or memory.
 *
 * Errors (a full disk, a closed pipe) are kept and reported once, by wp_writer_close(), so that
 * code which writes needs no checks between.
 */
#ifndef WP_WRITER_H
#define WP_WRITER_H

#include "base/err.h"
#include "base/str.h"
#include "base/watch.h"

struct wp_writer;

/* Creates or truncates a file. The caller closes. */
struct wp_err *wp_writer_open(const char *path, struct wp_writer **ret) WP_MUST_CHECK;
/* Creates a file; one that is there already is refused. The caller closes. */
struct wp_err *wp_writer_create(const char *path, struct wp_writer **ret) WP_MUST_CHECK;
/* Opens a file to write behind what it has, or creates it. The caller closes. */
struct wp_err *wp_writer_append(const char *path, struct wp_writer **ret) WP_MUST_CHECK;
/* Writes to an open descriptor that stays open (1 for stdout); name is for error texts. */
struct wp_writer *wp_writer_of_fd(int fd, const char *name);
/* Writes into a string that the caller owns. */
struct wp_writer *wp_writer_of_str(struct wp_str *str);

void wp_writer_put(struct wp_writer *w, const void *bytes, size_t n);
void wp_writer_puts(struct wp_writer *w, const char *s);
void wp_writer_printf(struct wp_writer *w, const char *fmt, ...) WP_PRINTF(2, 3);
/* Hands everything buffered to the system now (progress characters). */
void wp_writer_flush(struct wp_writer *w);
/* Told of what was handed to the system, until the writer is closed. */
void wp_writer_watch(struct wp_writer *w, struct wp_watch watch);
/* True when something could not be written: what follows is lost. */
bool wp_writer_failed(const struct wp_writer *w);
/* True when what is written appears on a person's terminal. */
bool wp_writer_is_terminal(const struct wp_writer *w);
/* Flushes, closes and frees; the first error that happened since the opening is returned. NULL is
 * fine. */
struct wp_err *wp_writer_close(struct wp_writer *w) WP_MUST_CHECK;

#endif
