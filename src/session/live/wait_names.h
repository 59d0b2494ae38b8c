/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_names: what descriptors are that threads wait for: a file, "pipe:[7]", "socket:[8]".
 *
 * Session. The inode is known of the instant at which the wait began; /proc says what the number
 * leads to now, and has a name for it when that is the same inode. So a name is never another
 * file's, but one that was closed meanwhile has none.
 */
#ifndef WP_WAIT_NAMES_H
#define WP_WAIT_NAMES_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "core/record.h"

struct wp_wait_name_seen {
	uint64_t inode;
	uint32_t name;
};

/* All-zero but for `on` is empty. */
struct wp_wait_names {
	bool on;
	struct wp_strpool texts;
	struct wp_map by_fd; /* pid and descriptor -> index in seen + 1 */
	WP_VEC(struct wp_wait_name_seen) seen;
};

/* The descriptor of the sample's thread, which leads to that inode; 0: it does not any more. */
uint32_t wp_wait_names_find(struct wp_wait_names *names, const struct wp_record *sample, int fd,
			    uint64_t inode);
/* The text of what was found, which is not 0; it lives as long as the names. */
const char *wp_wait_names_get(const struct wp_wait_names *names, uint32_t name);
void wp_wait_names_deinit(struct wp_wait_names *names);

#endif
