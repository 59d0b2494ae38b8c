/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owner: the users that watched code runs as, or whose recording it is.
 *
 * What such code names is read with its user's rights, not with ours. Plain data; a recording keeps
 * it as text.
 */
#ifndef WP_OWNER_H
#define WP_OWNER_H

#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define WP_OWNER_NO_GROUP 65534 /* where only the user is known: the kernel's overflow gid */

struct wp_owner {
	uint32_t uid, gid;
	WP_VEC(gid_t) groups;
};

/* All-zero is empty: nothing is known. */
struct wp_owners {
	WP_VEC(struct wp_owner) all;
	bool cut; /* there are more than are kept */
};

/* Takes a user and its groups over, unless the same one is there; *add is empty afterwards. */
void wp_owners_take(struct wp_owners *owners, struct wp_owner *add);
/* A user of whom nothing else is known. */
void wp_owners_add_uid(struct wp_owners *owners, uint32_t uid);
bool wp_owners_has_uid(const struct wp_owners *owners, uint32_t uid);
/* As text, "UID:GID:GROUP,GROUP ..."; that of none, or of too many, is "". */
void wp_owners_put(const struct wp_owners *owners, struct wp_str *ret);
/* Reads it; false when it is none: then nothing is known. */
bool wp_owners_parse(const char *text, struct wp_owners *ret);
void wp_owner_deinit(struct wp_owner *owner);
void wp_owners_deinit(struct wp_owners *owners);

#endif
