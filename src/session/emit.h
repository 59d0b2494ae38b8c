/* emit: one document to the outputs the user chose (DESIGN: routing as WindowsPerf's). */
#ifndef WP_EMIT_H
#define WP_EMIT_H

#include "core/doc.h"
#include "session/session.h"

/* True when progress and prose go to stdout: neither --json nor -q. */
bool wp_emit_wants_text(const struct wp_session_options *options);

/*
 * Text to stdout (unless --json or -q), JSON to stdout (--json without --output) or to the --output
 * file. With a timeline,
 * --output without --json names the CSV file, which wp_emit_csv() writes, not this.
 */
struct wp_err *wp_emit(const struct wp_session_options *options, struct wp_session_io *io,
		       const struct wp_doc *doc) WP_MUST_CHECK;

/* Writes a document as CSV to the file; relative names go below --output-prefix. */
struct wp_err *wp_emit_csv(const struct wp_session_options *options, const char *file,
			   const struct wp_doc *doc) WP_MUST_CHECK;

#endif
