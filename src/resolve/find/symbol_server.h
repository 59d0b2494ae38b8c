/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbol_server: gets a file from a web server of symbols.
 *
 * Resolve stage; libcurl does the talking. It is loaded by the first request, never linked; where
 * it is not installed every request fails with a line that says so. Bounds: size, time without
 * progress, whole time, redirections; after a signal half a second without bytes.
 */
#ifndef WP_SYMBOL_SERVER_H
#define WP_SYMBOL_SERVER_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>

/* What to get. */
struct wp_symbol_request {
	const char *root;     /* http or https, not empty */
	const char *parts[3]; /* ROOT/A/B/C; they are escaped */
	/* Not 0: nobody wants to wait any more; half a second without news ends it. May be NULL. */
	const volatile sig_atomic_t *interrupted;
};

/*
 * Writes what the server has into fd. *ret_found is false, without an error, when the server says
 * that there is no such file.
 */
struct wp_err *wp_symbol_server_get(const struct wp_symbol_request *request, int fd,
				    bool *ret_found) WP_MUST_CHECK;

#endif
