/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * priority: when a thread of this program comes to run on a busy machine.
 *
 * Whoever empties a ring must come in time: the kernel throws away what finds no room, and a
 * program that starts is not walked before we looked at it. A thread that waits its turn beside ten
 * others comes a tenth as often. A scheduling group (a session's, a container's) hides a nice value
 * from the others, so that only a real-time policy helps everywhere.
 */
#ifndef WP_PRIORITY_H
#define WP_PRIORITY_H

#include <stdbool.h>

/* All-zero: the calling thread is as the user started it. */
struct wp_priority {
	bool raised;
};

/*
 * The calling thread, and what it starts from now on (threads and processes), comes before all that
 * is not real-time itself; where that is refused, before other ordinary threads; else nothing
 * changes. A nice value or a policy that the user has given is kept. A thread that computes for
 * half a second without waiting for anything becomes an ordinary one, with the nice value -20, so
 * that no CPU is kept from others for longer.
 */
void wp_priority_raise(struct wp_priority *priority);
/* Raises a thread anew that was raised and has computed for so long since; else does nothing. */
void wp_priority_renew(const struct wp_priority *priority);
/* The calling thread is ordinary again. */
void wp_priority_lower(struct wp_priority *priority);

#endif
