/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_lines: where the lines of `stat -x` and `stat -I` go, as they come: CSV or text or JSON, to
 * standard output or the file of -o.
 */
#ifndef WP_STAT_LINES_H
#define WP_STAT_LINES_H

#include "aggregate/stat_rows.h"
#include "core/doc.h"
#include "session/session.h"

struct wp_stat_lines {
	struct wp_writer *text, *csv, *json; /* NULL: not wanted */
	struct wp_writer *file;		     /* one of them, when it is ours */
	const char *separator;
};

/* -x: CSV to the file or standard output. Else text (unless -q or --json) to standard output, and
 * JSON to the file, or with --json to standard output. The caller closes or deinits. */
struct wp_err *wp_stat_lines_open(const struct wp_session_options *options,
				  struct wp_session_io *io,
				  struct wp_stat_lines *ret) WP_MUST_CHECK;
/* A line of text that is not for programs. */
void wp_stat_lines_say(struct wp_stat_lines *lines, const char *text);
/* Rows in whichever form is wanted, at once; the form's separator is set here. JSON is one line: an
 * object with the members `time` and `events`. */
void wp_stat_lines_put(struct wp_stat_lines *lines, const struct wp_stat_rows *rows,
		       struct wp_stat_style style);
/* Errors of writing come out here. */
struct wp_err *wp_stat_lines_close(struct wp_stat_lines *lines) WP_MUST_CHECK;
/* Closes what is still open, without a word. */
void wp_stat_lines_deinit(struct wp_stat_lines *lines);
#define wp_autolines WP_CLEANUP(wp_stat_lines_deinit)

#endif
