/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_operands: where a probe finds each of its arguments at each of its places.
 *
 * Resolve stage. Of a marker its note says it; of a function's beginning and return the calling
 * convention does; of a name the debug information. What an argument's size and sign are is found
 * out here, too.
 */
#ifndef WP_PROBE_OPERANDS_H
#define WP_PROBE_OPERANDS_H

#include "resolve/probe/probe_image.h"

/*
 * One for each of the probe's arguments, in arena; *ret NULL when it has none. Fails with one line
 * when one of them cannot be read at that address. Names are asked for as in probe_named.h.
 */
struct wp_err *wp_probe_operands(struct wp_probe_image *image, struct wp_line_asker *asker,
				 struct wp_probe *probe, const struct wp_probe_address *address,
				 struct wp_arena *arena,
				 const struct wp_operand **ret) WP_MUST_CHECK;
/*
 * Of the running machine's kernel, whose functions have the convention of C; names are found by
 * its BTF. module: as of wp_probe_kernel_check().
 */
struct wp_err *wp_probe_operands_kernel(const char *event, const char *module,
					struct wp_probe *probe, struct wp_arena *arena,
					const struct wp_operand **ret) WP_MUST_CHECK;

#endif
