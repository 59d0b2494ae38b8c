/* SPDX-License-Identifier: BSD-3-Clause */
/* event_breakpoint: `mem:ADDR[/LEN][:rwx]`, an address watched by the CPU's debug registers. */
#ifndef WP_EVENT_BREAKPOINT_H
#define WP_EVENT_BREAKPOINT_H

#include "base/err.h"
#include "core/event.h"

/* True for words that begin with mem: */
bool wp_event_is_breakpoint(const char *word);
/*
 * Sets ret's type, bp_type, bp_addr and bp_len. Access defaults to rw, the length to 4 bytes (to
 * the size of a pointer for x), as perf's do. The word has no modifiers any more.
 */
struct wp_err *wp_event_breakpoint(const char *word, struct wp_event *ret) WP_MUST_CHECK;

#endif
