/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_threads: see pinned_threads.h. */
#include "source/pinned/pinned_threads.h"

#include "base/clock.h"
#include "base/keyed.h"
#include "source/proc/procfs.h"
#include "source/pinned/windows_teb.h"

#include <stdlib.h>
#include <string.h>

/* Bounds of a search through memory that may say anything. */
#define MAX_INTERPRETERS 1024
#define MAX_STATES	 65536
/* Entries of ended threads are not worth keeping track of: everything is forgotten instead. */
#define MAX_THREADS 65536
/* A search for a thread that is not Python's takes at most this part of the time. */
#define SEARCH_SHARE	64
#define SEARCH_AGAIN_NS WP_NS_PER_MS
/* Of struct pthread that is searched for the thread's id where libc does not say where it is. */
#define HEAD_BYTES 256

static uint64_t read_thread_pointer(const struct wp_memory *memory, uint64_t addr)
{
	uint64_t value = 0;

	return memory->read(memory->arg, addr, &value, sizeof(value)) ? value : 0;
}

/* True when what that thread pointer points at says that it belongs to the thread. */
static bool belongs(const struct wp_memory *memory, const struct wp_python_plan *plan,
		    uint64_t pointer, uint32_t inner_tid)
{
	uint32_t head[HEAD_BYTES / sizeof(uint32_t)];
	uint32_t found;

	if (plan->tid)
		return memory->read(memory->arg, pointer + (uint64_t)(int64_t)plan->tid, &found,
				    sizeof(found)) &&
		       found == inner_tid;
	if (!memory->read(memory->arg, pointer + (uint64_t)(int64_t)plan->thread_id_bias, head,
			  sizeof(head)))
		return false;
	for (size_t i = 0; i < WP_ARRAY_LEN(head); i++)
		if (head[i] == inner_tid)
			return true;
	return false;
}

/* The thread states of one interpreter; *left bounds those of all. */
static bool search_states(const struct wp_memory *memory, const struct wp_python_plan *plan,
			  uint64_t interpreter, uint32_t inner_tid, size_t *left, uint64_t *ret)
{
	uint64_t state = read_thread_pointer(memory, interpreter + plan->interp_threads);

	while (state && *left) {
		uint64_t self = read_thread_pointer(memory, state + plan->ts_thread_id);
		uint64_t pointer = self - (uint64_t)(int64_t)plan->thread_id_bias;

		--*left;
		if (self && belongs(memory, plan, pointer, inner_tid)) {
			*ret = pointer;
			return true;
		}
		state = read_thread_pointer(memory, state + plan->ts_next);
	}
	return false;
}

/* 2.7 and 3.6 without symbols do not tell where the list begins: the running thread does. */
static uint64_t first_interpreter(const struct wp_memory *memory, const struct wp_python_plan *plan)
{
	uint64_t state;

	if (plan->interpreters)
		return read_thread_pointer(memory, plan->interpreters);
	state = plan->current ? read_thread_pointer(memory, plan->current) : 0;
	return state ? read_thread_pointer(memory, state + plan->ts_interp) : 0;
}

bool wp_pinned_threads_search(const struct wp_memory *memory, const struct wp_python_plan *plan,
			      uint32_t inner_tid, uint64_t *ret)
{
	uint64_t interpreter = first_interpreter(memory, plan);
	size_t left = MAX_STATES;

	for (size_t i = 0; interpreter && i < MAX_INTERPRETERS; i++) {
		if (search_states(memory, plan, interpreter, inner_tid, &left, ret))
			return true;
		interpreter = read_thread_pointer(memory, interpreter + plan->interp_next);
	}
	return false;
}

static uint32_t inner_tid_of(uint32_t pid, uint32_t tid)
{
	uint32_t inner = wp_procfs_inner_tid(pid, tid);

	return inner ? inner : tid;
}

static struct wp_pinned_thread *entry_of(struct wp_pinned_threads *threads,
					 const struct wp_python_plan *plan, uint32_t pid,
					 uint32_t tid)
{
	uint64_t key = (uint64_t)plan->generation << 32 | tid;
	struct wp_pinned_thread *thread;

	if (threads->v.n >= MAX_THREADS) {
		wp_map_deinit(&threads->by_tid);
		threads->v.n = 0;
	}
	thread = wp_keyed_put(&threads->v, &threads->by_tid, key, (struct wp_pinned_thread){0});
	/* The id of a thread that ended is another process's now. */
	if (thread->pid != pid)
		*thread = (struct wp_pinned_thread){
			.pid = pid,
			.tid = tid,
			.inner_tid = inner_tid_of(pid, tid),
		};
	return thread;
}

/* A search has begun then and is over: the next one may come in a while. */
static void pace(struct wp_pinned_threads *threads, uint64_t begin_ns,
		 struct wp_pinned_thread *thread)
{
	uint64_t now_ns = wp_clock_now_ns(), pause_ns = (now_ns - begin_ns) * SEARCH_SHARE;

	threads->searches++;
	thread->retry_ns = now_ns + (pause_ns > SEARCH_AGAIN_NS ? pause_ns : SEARCH_AGAIN_NS);
}

static void search_thread(struct wp_pinned_threads *threads, const struct wp_memory *memory,
			  const struct wp_python_plan *plan, struct wp_pinned_thread *thread)
{
	uint64_t begin_ns = wp_clock_now_ns();

	if (!wp_pinned_threads_search(memory, plan, thread->inner_tid, &thread->pointer))
		thread->pointer = 0;
	pace(threads, begin_ns, thread);
}

struct wp_pinned_thread *wp_pinned_threads_get(struct wp_pinned_threads *threads,
					       const struct wp_memory *memory,
					       const struct wp_python_plan *plan, uint32_t pid,
					       uint32_t tid, uint64_t maybe)
{
	struct wp_pinned_thread *thread = entry_of(threads, plan, pid, tid);

	/* Where libc does not say which word is the thread's id, one of many may be like it. */
	if (!thread->pointer && maybe && plan->tid)
		thread->pointer = maybe;
	if (thread->pointer && !belongs(memory, plan, thread->pointer, thread->inner_tid))
		thread->pointer = thread->retry_ns = 0;
	if (!thread->pointer && wp_clock_now_ns() >= thread->retry_ns)
		search_thread(threads, memory, plan, thread);
	return thread;
}

struct wp_pinned_thread *wp_pinned_threads_windows(struct wp_pinned_threads *threads,
						   const struct wp_python_plan *plan, uint32_t pid,
						   uint32_t tid, uint64_t sp)
{
	struct wp_pinned_thread *thread = entry_of(threads, plan, pid, tid);
	uint64_t begin_ns = wp_clock_now_ns();
	struct wp_windows_teb teb;

	if (thread->pointer || begin_ns < thread->retry_ns || !sp)
		return thread;
	if (wp_windows_teb(pid, sp, &teb))
		thread->pointer = teb.addr;
	pace(threads, begin_ns, thread);
	return thread;
}

void wp_pinned_threads_deinit(struct wp_pinned_threads *threads)
{
	wp_map_deinit(&threads->by_tid);
	wp_vec_deinit(&threads->v);
}
