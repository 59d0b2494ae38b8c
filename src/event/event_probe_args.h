/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_probe_args: what a probe is to bring of each hit: `:arg1`, `:ret`, with a type
 * behind it (`:arg1:string`, `:arg2:s32`) and a name of one's own before it (`:path=arg1`).
 */
#ifndef WP_EVENT_PROBE_ARGS_H
#define WP_EVENT_PROBE_ARGS_H

#include "base/arena.h"
#include "base/err.h"
#include "core/probe.h"

/* "arg1" to "arg16": its number; 0: it is none. */
uint32_t wp_event_probe_arg_number(const char *part);
/* Cuts text at its colons and sets ret's args, in arena; text lives as long. NULL: there are none.
 */
struct wp_err *wp_event_probe_args(const char *word, char *text, struct wp_arena *arena,
				   struct wp_probe *ret) WP_MUST_CHECK;

#endif
