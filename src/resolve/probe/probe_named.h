/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_named: a parameter or variable of a function that a probe asks for by its name.
 *
 * Resolve stage. The debug information is read on a thread that may be left (line_asker): the image
 * `is_left` then, and must not be closed.
 */
#ifndef WP_PROBE_NAMED_H
#define WP_PROBE_NAMED_H

#include "resolve/lines/variables.h"
#include "resolve/probe/probe_image.h"

/*
 * The argument's place when the instruction at that address is hit; fails with one line that says
 * what was found instead. ret->nth is set (and the operand's place is not) where the calling
 * convention says it.
 */
struct wp_err *wp_probe_named(struct wp_probe_image *image, struct wp_line_asker *asker,
			      const struct wp_probe_arg *arg, uint64_t at, bool windows,
			      struct wp_variable *ret) WP_MUST_CHECK;

#endif
