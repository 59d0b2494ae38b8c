/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_stack: the stacks of a replay script's `sample` lines; docs/replay.md has the grammar. */
#ifndef WP_REPLAY_STACK_H
#define WP_REPLAY_STACK_H

#include "base/arena.h"
#include "base/err.h"
#include "core/stack.h"

/*
 * "IP[/SP],..." innermost first, the kernel's part the same without SP, and why the stack ends
 * ("complete" when NULL). *ret is in the arena; NULL when neither part is given.
 */
struct wp_err *wp_replay_stack_parse(const char *user, const char *kernel, const char *end,
				     struct wp_arena *arena,
				     const struct wp_stack_raw **ret) WP_MUST_CHECK;

#endif
