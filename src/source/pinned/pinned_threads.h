/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_threads: the thread pointers of sampled threads, which no perf record tells.
 *
 * Source stage. pthread_self() of a thread is in its Python thread state, and the kernel's id of
 * the thread is in what that points at (struct pthread): the list of thread states is searched once
 * per thread. A thread pointer that is known is checked again at each use. A thread that is not in
 * the list may get a thread state later: it is looked for again, the less often the more a search
 * costs.
 */
#ifndef WP_PINNED_THREADS_H
#define WP_PINNED_THREADS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/memory.h"
#include "core/python_plan.h"

struct wp_pinned_thread {
	uint32_t pid, tid;
	uint32_t inner_tid; /* in its own PID namespace */
	uint64_t pointer;   /* 0: has no thread state */
	uint64_t retry_ns;  /* when to look again */
	/* For whoever walks its frames: the thread state met last, and the pthread key + 1. */
	uint64_t state;
	uint32_t key;
};

/* All-zero is empty. One thread. */
struct wp_pinned_threads {
	struct wp_map by_tid; /* tid and plan generation -> index + 1 */
	WP_VEC(struct wp_pinned_thread) v;
	uint64_t searches;
};

/*
 * What is known of a thread of the process whose memory it is; its pointer is 0 when it has no
 * thread state of that interpreter. maybe: what the pointer may be (0: no idea), which saves the
 * search if it is. Valid until the next call.
 */
struct wp_pinned_thread *wp_pinned_threads_get(struct wp_pinned_threads *threads,
					       const struct wp_memory *memory,
					       const struct wp_python_plan *plan, uint32_t pid,
					       uint32_t tid, uint64_t maybe);
/* The thread of a Windows program, by a stack pointer of the thread; its pointer is the TEB. */
struct wp_pinned_thread *wp_pinned_threads_windows(struct wp_pinned_threads *threads,
						   const struct wp_python_plan *plan, uint32_t pid,
						   uint32_t tid, uint64_t sp);
void wp_pinned_threads_deinit(struct wp_pinned_threads *threads);

/*
 * Searches the thread states of an interpreter for the thread with that id (in its own PID
 * namespace). False: it has none. Pure.
 */
bool wp_pinned_threads_search(const struct wp_memory *memory, const struct wp_python_plan *plan,
			      uint32_t inner_tid, uint64_t *ret);

#endif
