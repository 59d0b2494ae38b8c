/* SPDX-License-Identifier: BSD-3-Clause */
/* setup: what every verb needs first: the machine (real or replayed) and what event names mean on
 * it. */
#ifndef WP_SETUP_H
#define WP_SETUP_H

#include "core/machine.h"
#include "event/event_parse.h"
#include "session/session.h"
#include "replay/replay.h"

struct wp_setup {
	const struct wp_machine *machine;
	struct wp_machine probed; /* where `machine` points without --replay */
	struct wp_replay *replay; /* NULL without --replay */
	struct wp_catalogue *catalogue;
	const struct wp_log *log;
};

/* Probes or replays the machine and reads -E and -C. The caller deinits, also after a failure. */
struct wp_err *wp_setup_init(const struct wp_session_options *options, struct wp_session_io *io,
			     struct wp_setup *ret) WP_MUST_CHECK;
void wp_setup_deinit(struct wp_setup *setup);
#define wp_autosetup WP_CLEANUP(wp_setup_deinit)

#endif
