/* SPDX-License-Identifier: BSD-3-Clause */
/* setup: what every verb needs first: a world and what event names mean on its machine. */
#ifndef WP_SETUP_H
#define WP_SETUP_H

#include "core/world.h"
#include "event/event_parse.h"
#include "session/session.h"

struct wp_setup {
	struct wp_world *world; /* the script of --replay, or the system */
	const struct wp_machine *machine;
	struct wp_catalogue *catalogue;
	const struct wp_log *log;
	const volatile sig_atomic_t *interrupted; /* as in struct wp_session_io */
};

/* Only the world; without `probes` not its machine. */
struct wp_err *wp_setup_open(const struct wp_session_options *options, bool probes,
			     struct wp_setup *ret) WP_MUST_CHECK;
/* Opens it, looks at its machine and reads -E and -C. The caller deinits, also after a failure. */
struct wp_err *wp_setup_init(const struct wp_session_options *options, struct wp_session_io *io,
			     struct wp_setup *ret) WP_MUST_CHECK;
/* Completes the probes of a set, for a target that is not started yet (resolve/probe). */
struct wp_err *wp_setup_find_probes(const struct wp_setup *setup, const struct wp_target *target,
				    struct wp_event_set *events) WP_MUST_CHECK;
void wp_setup_deinit(struct wp_setup *setup);
/*
 * All events are open: gives up the capabilities that nothing needs from now on (base/rights.h).
 * data: a recording that is made, or NULL; launched: a command is ended by us, if need be.
 */
void wp_setup_reduce_rights(const struct wp_setup *setup, const struct wp_session_options *options,
			    const char *data, bool launched);
#define wp_autosetup WP_CLEANUP(wp_setup_deinit)

#endif
