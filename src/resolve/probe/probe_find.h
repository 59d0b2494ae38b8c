/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_find: what the probes of a set of events mean on this machine: files, and places in them.
 *
 * Resolve stage.
 */
#ifndef WP_PROBE_FIND_H
#define WP_PROBE_FIND_H

#include "base/log.h"
#include "core/event.h"
#include "core/target.h"

#include <signal.h>

/*
 * Completes the probes of the set. A process that is watched already has its own root, in which
 * paths are looked up. The first that cannot be found is an error of one line. `interrupted`, not 0
 * once a signal has come, ends the reading of debug information; NULL: none can.
 */
struct wp_err *wp_probes_find(struct wp_event_set *set, const struct wp_target *target,
			      const volatile sig_atomic_t *interrupted,
			      const struct wp_log *log) WP_MUST_CHECK;

#endif
