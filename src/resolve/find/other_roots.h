/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * other_roots: the root folders of processes that have another one than we (containers), kept open:
 * what a process had mapped is found there when the process itself is gone.
 *
 * Resolve stage. A file counts only if it is the very one that was mapped.
 */
#ifndef WP_OTHER_ROOTS_H
#define WP_OTHER_ROOTS_H

#include "resolve/find/mapped_file.h"

#define WP_OTHER_ROOTS 8 /* further ones are not kept */

/* All-zero is empty. */
struct wp_other_roots {
	struct wp_other_root {
		int fd;
		dev_t dev;
		ino_t inode;
	} v[WP_OTHER_ROOTS];
	size_t n;
};

/* Keeps the process's root, if it is another one and not kept yet. */
void wp_other_roots_note(struct wp_other_roots *roots, uint32_t pid);
/* The mapped file by its path in any of them; -1: none has it. */
int wp_other_roots_open(const struct wp_other_roots *roots, const char *path,
			const struct wp_file_id *id);
void wp_other_roots_deinit(struct wp_other_roots *roots);

#endif
