/* SPDX-License-Identifier: BSD-3-Clause */
/* event_tracepoint: `subsystem:name` to the number that tracefs, or a script, has for it. */
#ifndef WP_EVENT_TRACEPOINT_H
#define WP_EVENT_TRACEPOINT_H

#include "core/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* False when there is no such tracepoint. */
bool wp_event_tracepoint_id(const struct wp_machine *machine, const char *word, uint64_t *ret);

#endif
