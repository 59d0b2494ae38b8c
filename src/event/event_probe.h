/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_probe: `uprobe:BINARY:PLACE`, `kprobe:PLACE` and `usdt:BINARY:PROVIDER:NAME` to an event.
 *
 * PLACE is SYMBOL, SYMBOL+OFFSET, SYMBOL:LINE (counted from the function's own), FILE:LINE or an
 * address 0x..., with %return behind it for the function's return. Arguments may follow, one behind
 * each colon (event_probe_args), and terms between slashes: period=N, name=TEXT, weight=ARGUMENT.
 * Nothing is looked for here: see core/probe.h.
 */
#ifndef WP_EVENT_PROBE_H
#define WP_EVENT_PROBE_H

#include "event/catalogue.h"

/* True for words that begin with uprobe:, kprobe: or usdt:, in lower case. */
bool wp_event_is_probe(const char *word);
/*
 * Where such a word of a list ends: at a comma that is not within terms or the parameters of a
 * C++ name.
 */
size_t wp_event_probe_length(const char *word);
/* The colon before the interval of such a word, or NULL: that of a line is none. */
char *wp_event_probe_interval(char *word);
/*
 * Sets ret's name, source, type, configuration, period if a term says it, and probe; all but the
 * file and places of the probe, all in arena.
 */
struct wp_err *wp_event_probe(const struct wp_machine *machine, const char *word,
			      struct wp_arena *arena, struct wp_event *ret) WP_MUST_CHECK;

#endif
