/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_names: what descriptors are that threads wait for: a file, "pipe:[7]", "socket:[8]".
 *
 * Session. The inode is known of the instant at which the wait began; /proc says what the number
 * leads to a moment later, and its name is taken when the inode is equal. A descriptor that was
 * closed meanwhile has no name. (All of eventfd, timerfd, epoll share one inode: if one is closed
 * and another takes its number in that moment, the name is of the newer one.)
 */
#ifndef WP_WAIT_NAMES_H
#define WP_WAIT_NAMES_H

#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "core/record.h"
#include "core/stack.h"

struct wp_wait_name_seen {
	uint64_t inode;
	uint32_t file_kind;
	uint32_t name;
	uint32_t misses; /* so often it was gone when we looked */
};

/* All-zero but for `on` is empty. */
struct wp_wait_names {
	bool on;
	struct wp_strpool texts;
	struct wp_map by_fd; /* pid and descriptor -> index in seen + 1 */
	WP_VEC(struct wp_wait_name_seen) seen;
};

/* The descriptor that the sample's thread called with; 0: it leads to that file no more. */
uint32_t wp_wait_names_find(struct wp_wait_names *names, const struct wp_record *sample,
			    const struct wp_stack_call *call);
/* The text of what was found, which is not 0; it lives as long as the names. */
const char *wp_wait_names_get(const struct wp_wait_names *names, uint32_t name);
void wp_wait_names_deinit(struct wp_wait_names *names);

#endif
