/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_exit: rules for executable memory without a file, read from the process's own code.
 *
 * Resolve stage. In: a process that lives, and an address in it; out: the rule that
 * walk/code_exit.h tells from the instructions there. What was read is kept: the process may have
 * ended when the next sample asks.
 */
#ifndef WP_UNWIND_EXIT_H
#define WP_UNWIND_EXIT_H

#include "base/map.h"
#include "base/vec.h"
#include "core/addr.h"
#include "core/unwind_rule.h"

struct wp_unwind_exit {
	uint32_t pid;
	struct wp_unwind_rule rule; /* cfa NONE: the code tells nothing */
};

/* All-zero is a good beginning. */
struct wp_unwind_exits {
	struct wp_map at; /* process, address and `exact`, mixed -> index in v + 1 */
	WP_VEC(struct wp_unwind_exit) v;
};

/* exact: execution is at va; else va is a return address. NULL: nothing is known. Valid until the
 * next call. */
const struct wp_unwind_rule *wp_unwind_exits_find(struct wp_unwind_exits *exits, uint32_t pid,
						  struct wp_va va, bool exact);
void wp_unwind_exits_deinit(struct wp_unwind_exits *exits);

#endif
