/* SPDX-License-Identifier: BSD-3-Clause */
/* sudo_user: see sudo_user.h. */
#include "source/proc/sudo_user.h"

#include "base/str.h"

#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static bool read_sudo_id(const char *variable, uint64_t *ret)
{
	const char *text = getenv(variable);

	return text && wp_str_to_u64(text, 10, UINT32_MAX - 1, ret);
}

/* Only the groups of the user itself are taken. */
static const char *sudo_name_of(uid_t uid)
{
	const char *name = getenv("SUDO_USER");
	const struct passwd *entry = name ? getpwnam(name) : NULL;

	return entry && entry->pw_uid == uid ? name : NULL;
}

struct wp_err *wp_sudo_user_find(struct wp_sudo_user *ret)
{
	uint64_t uid, gid;

	if (!read_sudo_id("SUDO_UID", &uid) || !read_sudo_id("SUDO_GID", &gid))
		return wp_err_new(WP_ERR_USAGE,
				  "--as-user: SUDO_UID and SUDO_GID do not say who called sudo: "
				  "run it as `sudo wperf record --as-user -- COMMAND`");
	*ret = (struct wp_sudo_user){(uid_t)uid, (gid_t)gid, sudo_name_of((uid_t)uid)};
	return NULL;
}

bool wp_sudo_user_become(const struct wp_sudo_user *user)
{
	int groups = user->name ? initgroups(user->name, user->gid) : setgroups(1, &user->gid);

	return groups == 0 && setresgid(user->gid, user->gid, user->gid) == 0 &&
	       setresuid(user->uid, user->uid, user->uid) == 0;
}
