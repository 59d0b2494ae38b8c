/* SPDX-License-Identifier: BSD-3-Clause */
/* dir: the names in a folder. */
#ifndef WP_DIR_H
#define WP_DIR_H

#include "base/arena.h"
#include "base/vec.h"

/* An all-zero dir is empty. */
struct wp_dir {
	struct wp_arena arena;
	WP_VEC(const char *) names; /* in byte order, without those that begin with a dot */
};

/* Appends the names in a folder; nothing when it cannot be read. The caller deinits. */
void wp_dir_list(const char *path, struct wp_dir *ret);
void wp_dir_deinit(struct wp_dir *dir);
#define wp_autodir WP_CLEANUP(wp_dir_deinit)

#endif
