/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perfmap: lines of /tmp/perf-PID.map, "START SIZE NAME" in hexadecimal, appended by JIT compilers.
 *
 * Source: linux/tools/perf/Documentation/jit-interface.txt. A later line wins over an earlier one.
 */
#ifndef WP_PERFMAP_H
#define WP_PERFMAP_H

#include "base/bytes.h"

struct wp_perfmap_entry {
	uint64_t start, size;
	const char *name; /* borrowed, not NUL-terminated */
	size_t name_len;
};

/*
 * The next complete well-formed line (others are skipped). False when no complete line is left; the
 * cursor is then where the next line, still being written, begins.
 */
bool wp_perfmap_next(struct wp_bytes *b, struct wp_perfmap_entry *ret);

#endif
