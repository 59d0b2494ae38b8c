/* SPDX-License-Identifier: BSD-3-Clause */
/* log: lines for the person at the terminal. The library never prints; whoever runs it supplies the
 * sink. */
#ifndef WP_LOG_H
#define WP_LOG_H

#include "base/mem.h"
#include "base/vec.h"

#include <stdbool.h>

enum wp_log_level {
	WP_LOG_ERROR,	/* could not be done, the run goes on: shown as "error: ..." */
	WP_LOG_WARNING, /* something is not as asked: shown as "warning: ..." */
	WP_LOG_NOTE,	/* something worth knowing: shown as "note: ..." */
	WP_LOG_VERBOSE, /* only with -v, as it is */
};

struct wp_log {
	/* Receives one line without its newline, fit for a terminal; NULL drops everything. */
	void (*sink)(void *arg, enum wp_log_level level, const char *line);
	void *arg;
};

void wp_log(const struct wp_log *log, enum wp_log_level level, const char *fmt, ...)
	WP_PRINTF(3, 4);

struct wp_log_line {
	enum wp_log_level level;
	char *text;
};

/*
 * Lines kept by a thread that may not tell them, for one that may; all-zero has none. One thread at
 * a time.
 */
struct wp_log_kept {
	struct wp_log log; /* wp_log_keep() makes it; then the struct does not move */
	WP_VEC(struct wp_log_line) lines;
};

const struct wp_log *wp_log_keep(struct wp_log_kept *kept);
/* Tells all (`log` may be NULL: nobody) and has none again. */
void wp_log_tell(struct wp_log_kept *kept, const struct wp_log *log);

#endif
