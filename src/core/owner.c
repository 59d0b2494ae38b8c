/* SPDX-License-Identifier: BSD-3-Clause */
/* owner: see owner.h. */
#include "core/owner.h"

#include <stdlib.h>
#include <string.h>

#define OWNERS_MAX 64	 /* more users than one run has */
#define GROUPS_MAX 65536 /* the kernel's limit (NGROUPS_MAX) */

static bool same_owner(const struct wp_owner *a, const struct wp_owner *b)
{
	return a->uid == b->uid && a->gid == b->gid && a->groups.n == b->groups.n &&
	       (!a->groups.n ||
		memcmp(a->groups.v, b->groups.v, a->groups.n * sizeof(*a->groups.v)) == 0);
}

void wp_owners_take(struct wp_owners *owners, struct wp_owner *add)
{
	bool known = false;

	wp_vec_each (struct wp_owner, owner, &owners->all)
		known |= same_owner(owner, add);
	owners->cut |= !known && owners->all.n == OWNERS_MAX;
	if (known || owners->cut)
		wp_owner_deinit(add);
	else
		wp_vec_push(&owners->all, *add);
	*add = (struct wp_owner){0};
}

void wp_owners_add_uid(struct wp_owners *owners, uint32_t uid)
{
	struct wp_owner add = {.uid = uid, .gid = WP_OWNER_NO_GROUP};

	wp_owners_take(owners, &add);
}

bool wp_owners_has_uid(const struct wp_owners *owners, uint32_t uid)
{
	wp_vec_each (const struct wp_owner, owner, &owners->all)
		if (owner->uid == uid)
			return true;
	return false;
}

void wp_owners_put(const struct wp_owners *owners, struct wp_str *ret)
{
	if (owners->cut)
		return;
	wp_vec_each (const struct wp_owner, owner, &owners->all) {
		wp_str_printf(ret, "%s%u:%u:", ret->len ? " " : "", owner->uid, owner->gid);
		for (size_t i = 0; i < owner->groups.n; i++)
			wp_str_printf(ret, "%s%u", i ? "," : "", owner->groups.v[i]);
	}
}

static bool take_owner_number(const char **text, char end, uint32_t *ret)
{
	char *rest;
	unsigned long value;

	if (**text < '0' || **text > '9')
		return false;
	value = strtoul(*text, &rest, 10);
	if (value > UINT32_MAX || (end && *rest != end))
		return false;
	*ret = (uint32_t)value;
	*text = end ? rest + 1 : rest;
	return true;
}

static bool take_owner(const char **text, struct wp_owner *ret)
{
	uint32_t group;

	if (!take_owner_number(text, ':', &ret->uid) || !take_owner_number(text, ':', &ret->gid))
		return false;
	while (**text && **text != ' ') {
		if (ret->groups.n == GROUPS_MAX || !take_owner_number(text, '\0', &group))
			return false;
		wp_vec_push(&ret->groups, group);
		*text += **text == ',';
	}
	*text += **text == ' ';
	return true;
}

bool wp_owners_parse(const char *text, struct wp_owners *ret)
{
	struct wp_owners owners = {0};
	bool right = *text != '\0';

	while (right && *text) {
		struct wp_owner add = {0};

		right = take_owner(&text, &add);
		wp_owners_take(&owners, &add);
	}
	if (right && !owners.cut)
		*ret = owners;
	else
		wp_owners_deinit(&owners);
	return right && ret->all.n;
}

void wp_owner_deinit(struct wp_owner *owner)
{
	wp_vec_deinit(&owner->groups);
}

void wp_owners_deinit(struct wp_owners *owners)
{
	wp_vec_each (struct wp_owner, owner, &owners->all)
		wp_owner_deinit(owner);
	wp_vec_deinit(&owners->all);
	owners->cut = false;
}
