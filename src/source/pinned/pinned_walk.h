/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_walk: the Python frames of a thread that stands still, and the code objects met first.
 *
 * Source stage; one for each reader. The walk itself is walk/python_walk.inc.h; here are the memory
 * it reads, the thread it begins with, and what it leaves. A code object is captured once per
 * process and reader, when the frames have been read: it is told only if it was still the same one
 * then.
 */
#ifndef WP_PINNED_WALK_H
#define WP_PINNED_WALK_H

#include "base/map.h"
#include "base/vec.h"
#include "format/perf/perf_peek.h"
#include "source/pinned/pinned_alike.h"
#include "source/pinned/pinned_code.h"
#include "source/pinned/pinned_plans.h"

struct wp_pinned_walk;

/* Whose frames, and the user registers of the sample. */
struct wp_pinned_subject {
	uint32_t pid, tid;
	const struct wp_perf_peek_regs *user;
	uint64_t pointer;		/* what its thread pointer may be, or 0 */
	uint64_t futex;			/* that it waits at; 0: at none, or not known */
	const struct wp_memory *memory; /* what stands for the process's; NULL: its own */
};

/* gil: whether THREAD slots say who held it; tasks: whether asyncio's are looked for. */
struct wp_pinned_walk *wp_pinned_walk_new(bool gil, bool tasks);
void wp_pinned_walk_free(struct wp_pinned_walk *walk);

/* The interpreter of a process that has no plans, see wp_pinned_alikes_find(). */
bool wp_pinned_walk_find(struct wp_pinned_walk *walk, const struct wp_pinned_alikes *alikes,
			 uint32_t pid, struct wp_pinned_process *ret);
/* Reads the frames of one thread with the plans of its process; all have THREAD slots then. */
void wp_pinned_walk_frames(struct wp_pinned_walk *walk, const struct wp_pinned_process *process,
			   const struct wp_pinned_subject *subject);
/*
 * Reads the coroutines of an asyncio task that waits, itself and who awaits it, with one plan of
 * the process. Returns the outermost coroutine, which is 0 when that is no task. What was read for
 * the tasks before is remembered, until wp_pinned_walk_forget().
 */
uint64_t wp_pinned_walk_task(struct wp_pinned_walk *walk, const struct wp_pinned_process *process,
			     uint32_t plan, uint64_t task);
/* memory: what stands for the process's; NULL: its own. */
void wp_pinned_walk_forget(struct wp_pinned_walk *walk, const struct wp_pinned_process *process,
			   const struct wp_memory *memory);
/* What the last walk left; valid until the next one. */
const struct wp_python_slot *wp_pinned_walk_slots(const struct wp_pinned_walk *walk, size_t *ret_n);

/* Whether the last walk met code objects that have not been told yet. */
bool wp_pinned_walk_has_codes(const struct wp_pinned_walk *walk);
/*
 * The code objects that the walk met first, one after the other: *ret points at the whole
 * message (struct wp_pinned_code_head and bytes), valid until the next call. 0: no more.
 * head->time_ns is the caller's to fill in.
 */
size_t wp_pinned_walk_next_code(struct wp_pinned_walk *walk,
				const struct wp_pinned_process *process,
				const struct wp_pinned_subject *subject,
				struct wp_pinned_code_head **ret);
/* The message that was given last has been delivered: that code object is not told again, unless
 * its name or its file could not be read. */
void wp_pinned_walk_told(struct wp_pinned_walk *walk);

struct wp_pinned_walk_cost {
	uint64_t walks, calls, searches, codes, changed;
	int os_errno; /* of the last read that failed */
};

struct wp_pinned_walk_cost wp_pinned_walk_cost(const struct wp_pinned_walk *walk);

#endif
