/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_options: what a perf source is to count or sample, of whom, and what it takes of the stacks.
 */
#ifndef WP_PERF_OPTIONS_H
#define WP_PERF_OPTIONS_H

#include "base/log.h"
#include "core/event.h"
#include "core/machine.h"
#include "core/target.h"

/* How the stack of a sample is taken. */
enum wp_stacks {
	WP_STACKS_NONE,
	WP_STACKS_FP,	/* the kernel follows frame pointers */
	WP_STACKS_BPF,	/* the walker's program walks the user stack */
	WP_STACKS_DUMP, /* the user registers and a copy of the user stack come with the sample */
};

#define WP_STACK_BYTES 8192u /* of a copy, unless asked for otherwise */
#define WP_STACK_BYTES_MAX \
	65528u /* the kernel's limit; a record is never longer than 65535 bytes */

struct wp_bpf_walker;
struct wp_pinned;

struct wp_perf_options {
	const struct wp_event_set *events; /* borrowed until close */
	const struct wp_target *target;	   /* borrowed until close */
	const struct wp_machine *machine;  /* borrowed until close */
	const struct wp_log *log;
	bool sampling;
	/* Walks native stacks (WP_STACKS_BPF), Python frames or both; for this run only, borrowed
	 * until close. */
	struct wp_bpf_walker *walker;
	/* Reads Python frames, whatever the stacks are; for this run only, borrowed until close. */
	struct wp_pinned *pinned;
	enum wp_stacks stacks; /* when sampling; kernel stacks too when the target has `kernel` */
	uint64_t stack_bytes; /* WP_STACKS_DUMP: of each copy, a multiple of 8; 0: WP_STACK_BYTES */
	uint64_t ring_bytes;  /* per CPU; 0: chosen from the events' rates */
};

#endif
