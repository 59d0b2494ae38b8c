/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sudo_user: who called sudo, and how a child becomes that user.
 *
 * Source stage. In: SUDO_UID, SUDO_GID and SUDO_USER, as sudo sets them.
 */
#ifndef WP_SUDO_USER_H
#define WP_SUDO_USER_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct wp_sudo_user {
	uid_t uid;
	gid_t gid;
	const char *name; /* of the environment; NULL: no user of that id has it */
};

/* Fails where sudo has not said who it is. */
struct wp_err *wp_sudo_user_find(struct wp_sudo_user *ret) WP_MUST_CHECK;
/* Gives up all rights but that user's, groups first. False, with errno: it is not permitted. */
bool wp_sudo_user_become(const struct wp_sudo_user *user);

#endif
