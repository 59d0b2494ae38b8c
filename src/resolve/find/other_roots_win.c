/* SPDX-License-Identifier: BSD-3-Clause */
/* other_roots_win: see other_roots.h; there is one root. */
#include "resolve/find/other_roots.h"

void wp_other_roots_note(struct wp_other_roots *roots, uint32_t pid)
{
	(void)roots, (void)pid;
}

int wp_other_roots_open(const struct wp_other_roots *roots, const char *path,
			const struct wp_file_id *id)
{
	(void)roots, (void)path, (void)id;
	return -1;
}

void wp_other_roots_deinit(struct wp_other_roots *roots)
{
	(void)roots;
}
