/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code_flow: the basic blocks of a function, from its code.
 *
 * Resolve stage. Code is followed from the function's first instruction on: jumps, conditional
 * ones, and tables of jumps as gcc, clang and MSVC make them. What that does not reach is
 * followed from where it begins, and marked. x86-64 and arm64.
 */
#ifndef WP_CODE_FLOW_H
#define WP_CODE_FLOW_H

#include "base/err.h"
#include "core/flow_graph.h"
#include "resolve/flow/flow_input.h"

#define WP_CODE_FLOW_MOST ((size_t)1 << 20) /* bytes of a function that are followed */

/*
 * The caller deinits *ret. Fails for an architecture that is not known. Without bytes there are no
 * blocks.
 */
struct wp_err *wp_code_flow(const struct wp_code_flow_of *of,
			    struct wp_flow_graph *ret) WP_MUST_CHECK;

#endif
