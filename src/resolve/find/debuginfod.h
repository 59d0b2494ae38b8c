/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * debuginfod: files by build-id from the servers that the user named (DEBUGINFOD_URLS).
 *
 * Resolve stage. The client is elfutils' libdebuginfod, opened when it is first needed, so that
 * wperf does without it; it keeps what it fetched in its own cache. Without the variable nothing is
 * asked and nothing is opened. A server that does not answer is not asked a second time.
 */
#ifndef WP_DEBUGINFOD_H
#define WP_DEBUGINFOD_H

#include "base/log.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_debuginfod;

enum wp_debuginfod_kind {
	WP_DEBUGINFOD_DEBUG,   /* what was split from the program */
	WP_DEBUGINFOD_PROGRAM, /* the program itself */
};

/*
 * NULL when no server is named. `interrupted`, which may be NULL, ends a download when it becomes
 * true. Both are borrowed.
 */
struct wp_debuginfod *wp_debuginfod_new(const struct wp_log *log,
					const volatile sig_atomic_t *interrupted);
/* NULL is fine. */
void wp_debuginfod_free(struct wp_debuginfod *debuginfod);
/* An open descriptor, or -1 when there is no such file. NULL is fine. */
int wp_debuginfod_fetch(struct wp_debuginfod *debuginfod, enum wp_debuginfod_kind kind,
			const uint8_t *id, size_t len);

#endif
