/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbol_server: gets a file from a web server of symbols.
 *
 * Resolve stage; libcurl does the talking. It is loaded by the first request, never linked; where
 * it is not installed every request fails with a line that says so. Bounds: size, time without
 * progress, whole time, redirections.
 */
#ifndef WP_SYMBOL_SERVER_H
#define WP_SYMBOL_SERVER_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Writes what the server has at ROOT/A/B/C into fd (root: http or https, not empty; parts are
 * escaped). *ret_found is false, without an error, when the server says that there is no such file.
 */
struct wp_err *wp_symbol_server_get(const char *root, const char *const parts[3], int fd,
				    bool *ret_found) WP_MUST_CHECK;

#endif
