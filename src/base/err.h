/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * err: why something a person asked for could not be done.
 *
 * A function that can fail returns `struct wp_err *`, NULL being success; its result comes last, in
 * `ret`, and is untouched on failure. "Not found" inside the data (a symbol, a module) is not an
 * error but a reason carried by the data; a malformed record is a counter.
 */
#ifndef WP_ERR_H
#define WP_ERR_H

#include "base/mem.h"

enum wp_err_code {
	WP_ERR_OTHER,
	WP_ERR_USAGE,	    /* the command line asks for something that makes no sense */
	WP_ERR_OS,	    /* a system call failed; os_errno says how */
	WP_ERR_PERMISSION,  /* the system forbids it; the text says what would allow it */
	WP_ERR_NOT_FOUND,   /* a named file, process or event does not exist */
	WP_ERR_UNSUPPORTED, /* this machine, kernel or build cannot do it */
	WP_ERR_FORMAT,	    /* bytes that do not follow their specification */
	WP_ERR_LIMIT,	    /* larger than a bound that protects us */
};

struct wp_err {
	enum wp_err_code code;
	int os_errno;	 /* 0 unless a system call failed */
	int exit_status; /* what the program should exit with; 0: no opinion (1) */
	char *text;	 /* one sentence for a person: what, where, what to do */
};

/* A new error with a printf text; the caller owns it. */
struct wp_err *wp_err_new(enum wp_err_code code, const char *fmt, ...)
	WP_PRINTF(2, 3) WP_MUST_CHECK;
/* As wp_err_new(WP_ERR_OS), with ": strerror(os_errno)" appended. */
struct wp_err *wp_err_os(int os_errno, const char *fmt, ...) WP_PRINTF(2, 3) WP_MUST_CHECK;
/* Puts "text: " in front of an error's text; takes and returns ownership; NULL stays NULL. */
struct wp_err *wp_err_prefix(struct wp_err *err, const char *fmt, ...)
	WP_PRINTF(2, 3) WP_MUST_CHECK;
void wp_err_free(struct wp_err *err);
void wp_err_free_(struct wp_err **err);

/* For `wp_autoerr struct wp_err *err = ...` where an error is handled on the spot. */
#define wp_autoerr WP_CLEANUP(wp_err_free_)

/* Passes an error up to the caller. */
#define TRY(expr)                                 \
	do {                                      \
		struct wp_err *try_err_ = (expr); \
		if (try_err_)                     \
			return try_err_;          \
	} while (0)

#endif
