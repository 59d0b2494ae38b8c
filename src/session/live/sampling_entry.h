/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_entry: a launched command stands where its program begins until whoever walks Python
 * frames knows its interpreter, so that no sample of it comes too early.
 */
#ifndef WP_SAMPLING_ENTRY_H
#define WP_SAMPLING_ENTRY_H

#include "core/source.h"
#include "session/follow/python_feed.h"
#include "session/live/held.h"
#include "session/targeting.h"
#include "source/bpf/bpf_walker.h"
#include "source/proc/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* The command, and who must know it; all of them outlive it. */
struct wp_sampling_entry_parts {
	struct wp_launch *launch;
	struct wp_source *source;
	struct wp_python_feed *python;
	struct wp_bpf_walker *walker; /* NULL: none */
	const struct wp_held *held;
	const struct wp_log *log;
};

/* All-zero: there is no command, or it is not followed. */
struct wp_sampling_entry {
	struct wp_sampling_entry_parts of;
	bool on;
	bool more;	   /* what is no Python at its entry may become one by another exec */
	bool started;	   /* it was at an entry */
	uint64_t since_ns; /* when it was found standing there (CLOCK_MONOTONIC); 0: it does not */
};

/* Before the command is let go. */
void wp_sampling_entry_open(struct wp_sampling_entry *entry,
			    const struct wp_sampling_entry_parts *of,
			    const struct wp_targeting *targeting);
/* The longest wait for records, so that a stopped command does not stand for long. */
uint64_t wp_sampling_entry_wait(const struct wp_sampling_entry *entry, uint64_t wait_ns);
/* Before records are taken: how far the command has come. */
void wp_sampling_entry_look(struct wp_sampling_entry *entry);
/* When they were: lets it go when all is known that can be. */
void wp_sampling_entry_pass(struct wp_sampling_entry *entry);

#endif
