/* SPDX-License-Identifier: BSD-3-Clause */
/* process_owner: see process_owner.h. */
#include "resolve/find/process_owner.h"

#include "base/err.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define STATUS_BYTES (1u << 20) /* up to 65536 groups */

struct numbers {
	WP_VEC(gid_t) all;
};

/* What stands behind a name, as "\nUid:", in its line. */
static void read_numbers(const char *status, const char *name, struct numbers *ret)
{
	const char *at = strstr(status, name);
	char *end;

	if (!at)
		return;
	for (at += strlen(name); at += strspn(at, " \t"), *at >= '0' && *at <= '9'; at = end)
		wp_vec_push(&ret->all, (gid_t)strtoul(at, &end, 10));
}

bool wp_process_owner_parse(const char *status, struct wp_owners *ret)
{
	struct numbers users = {0}, groups = {0}, others = {0};
	bool right;

	read_numbers(status, "\nUid:", &users);
	read_numbers(status, "\nGid:", &groups);
	read_numbers(status, "\nGroups:", &others);
	right = users.all.n == 4 && groups.all.n == 4; /* real, effective, saved, of files */
	for (size_t i = 0; right && i < 2; i++) {
		struct wp_owner add = {.uid = users.all.v[i], .gid = groups.all.v[i]};

		wp_vec_each (gid_t, group, &others.all)
			wp_vec_push(&add.groups, *group);
		wp_owners_take(ret, &add);
	}
	wp_vec_deinit(&users.all);
	wp_vec_deinit(&groups.all);
	wp_vec_deinit(&others.all);
	return right;
}

bool wp_process_owner(uint32_t pid, struct wp_owners *ret)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/status", pid);
	wp_autofree char *status = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, STATUS_BYTES, &status, NULL);

	return !err && wp_process_owner_parse(status, ret);
}
