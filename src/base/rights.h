/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rights: root's capabilities, given up when nothing needs them any more.
 *
 * Whoever opens files that strangers name should not be able to do everything meanwhile. What is
 * kept is what later opens need (docs/security.md lists it); a mount, a module, another owner of a
 * file, raw access to devices and the network's settings are not among it. A capability is a
 * thread's own: those that a thread starts later have what it has left.
 */
#ifndef WP_RIGHTS_H
#define WP_RIGHTS_H

#include <stdbool.h>

/* What is still to be done that not every run does. */
struct wp_rights_needs {
	bool writes; /* files where others may forbid it: wp_rights_needs_for() */
	bool kills;  /* ends a command that may have become somebody else */
};

/* True when writing a file of this path later needs the right to pass over permissions. */
bool wp_rights_needs_for(const char *path);
/*
 * Root's calling thread, for ever: all but what is kept for later opens is given up. Without root,
 * or where the kernel is too old to have them apart, nothing, or less.
 */
void wp_rights_reduce(struct wp_rights_needs needs);

#endif
