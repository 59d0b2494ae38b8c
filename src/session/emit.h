/* SPDX-License-Identifier: BSD-3-Clause */
/* emit: one document to the outputs the user chose (DESIGN: routing as WindowsPerf's). */
#ifndef WP_EMIT_H
#define WP_EMIT_H

#include "core/doc.h"
#include "session/session.h"

struct wp_screen_opener;

/* True when progress and prose go to stdout: neither --json, -q nor -x. */
bool wp_emit_wants_text(const struct wp_session_options *options);

/* A long text for a person follows on io->out. */
void wp_emit_begin_text(struct wp_session_io *io);

/*
 * Text to stdout (unless --json or -q), JSON to stdout (--json without --output) or to the --output
 * file. With a timeline, --output without --json names the CSV file, which is not written here.
 */
struct wp_err *wp_emit(const struct wp_session_options *options, struct wp_session_io *io,
		       struct wp_doc *doc) WP_MUST_CHECK;

/* On screens rows can be opened by `opener`; NULL: they cannot. */
struct wp_err *wp_emit_opening(const struct wp_session_options *options, struct wp_session_io *io,
			       struct wp_doc *doc,
			       const struct wp_screen_opener *opener) WP_MUST_CHECK;

/* A document as one line of JSON. */
void wp_emit_json_line(const struct wp_doc *doc, struct wp_writer *out);

/*
 * One of several documents to standard output, number `n` from 1: JSON a line each; text with an
 * empty line between two, on a screen that can be cleared instead of the one before, and cut to its
 * height.
 */
void wp_emit_one_of_many(const struct wp_session_options *options, struct wp_session_io *io,
			 struct wp_doc *doc, uint64_t n);

/* False: -o FILE is a recording, which is not written here. */
bool wp_emit_output_is_json(const struct wp_session_options *options);

/*
 * Makes the file that wp_emit() will write, so that one which cannot be written is refused before
 * anything is measured.
 */
struct wp_err *wp_emit_prepare(const struct wp_session_options *options) WP_MUST_CHECK;

/* Where an output file of that name goes: below --output-prefix unless absolute. The caller frees.
 */
char *wp_emit_path(const struct wp_session_options *options, const char *file);

#endif
