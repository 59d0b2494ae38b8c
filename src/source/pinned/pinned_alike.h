/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_alike: the interpreter of a process that the main thread has not told of yet, by what is
 * known of the program it runs.
 *
 * Source stage. What bpf/walk_alike.h is to BPF. The main thread tells of programs before readers
 * run; a reader looks whenever it samples a process that has no plans: that is over when the main
 * thread has learnt of it, some milliseconds later, and a process may become another program at any
 * time.
 */
#ifndef WP_PINNED_ALIKE_H
#define WP_PINNED_ALIKE_H

#include "base/vec.h"
#include "core/python_like.h"
#include "source/pinned/pinned_memory.h"
#include "source/pinned/pinned_plans.h"

#include <sys/stat.h>

/* Of one program: everything at addresses as linked. */
struct wp_pinned_alike {
	dev_t device;
	ino_t inode;
	off_t bytes;
	uint64_t code; /* where its code begins, minus like.debug */
	struct wp_python_plan plan;
	struct wp_python_like like;
};

/* All-zero knows no program. */
struct wp_pinned_alikes {
	WP_VEC(struct wp_pinned_alike) v;
};

void wp_pinned_alikes_add(struct wp_pinned_alikes *alikes, const struct stat *program,
			  uint64_t code, const struct wp_python_plan *plan,
			  const struct wp_python_like *like);
/*
 * Reader: false when the process runs none of the programs, or has not mapped its interpreter yet.
 * The memory is that of the process from then on.
 */
bool wp_pinned_alikes_find(const struct wp_pinned_alikes *alikes, uint32_t pid,
			   struct wp_pinned_memory *memory, struct wp_pinned_process *ret);
void wp_pinned_alikes_deinit(struct wp_pinned_alikes *alikes);

#endif
