/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_thread: which thread state a thread has, and whether it holds the GIL.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h. CPython keeps the state in a pthread slot
 * (PyGILState), which stays set while the GIL is released; where that slot cannot be found, the
 * states of all interpreters are compared with the thread.
 */
#ifndef WP_PYTHON_THREAD_H
#define WP_PYTHON_THREAD_H

#include "walk/python_known.inc.h"

/* Offsets in the TEB of 64-bit Windows: the thread's id; slots, their number, a pointer to more. */
#define WP_PYTHON_TEB_THREAD_ID 0x48
#define WP_PYTHON_TEB_SLOTS	0x1480
#define WP_PYTHON_TEB_KEYS	64
#define WP_PYTHON_TEB_MORE	0x1780

WP_PYTHON_FN int wp_python_load_thread(struct wp_python_walk *w, __u64 thread)
{
	__u32 bytes = w->thread_bytes;

	if (thread == w->thread_at)
		return 0;
	w->thread_at = WP_PYTHON_NOWHERE;
	if (bytes > sizeof(w->state) || !wp_python_sane(thread) ||
	    wp_python_read(w, w->state, bytes, thread))
		return -1;
	w->thread_at = thread;
	return 0;
}

/* Whether a thread state is this thread's, on Windows: PyThread_get_thread_ident() is
 * GetCurrentThreadId() there, of 32 bits. */
WP_PYTHON_FN int wp_python_is_own_windows(struct wp_python_walk *w, __u64 thread)
{
	__u64 self, id;

	if (!w->in.teb || !thread || wp_python_load_thread(w, thread) ||
	    wp_python_read_word(w, w->in.teb + WP_PYTHON_TEB_THREAD_ID, &self))
		return 0;
	id = wp_python_thread_word(w, w->in.plan.ts_thread_id);
	return wp_python_part(id, w->in.plan.ts_thread_id) == (__u32)self;
}

/* Whether a thread state says that it is the thread's. */
WP_PYTHON_FN int wp_python_is_own(struct wp_python_walk *w, __u64 thread)
{
	__u64 self = w->in.thread_pointer + (__u64)(__s64)w->in.plan.thread_id_bias;

	if (w->in.plan.flags & WP_PYTHON_WINDOWS)
		return wp_python_is_own_windows(w, thread);
	return thread && !wp_python_load_thread(w, thread) &&
	       (w->in.alone || wp_python_thread_word(w, w->in.plan.ts_thread_id) == self);
}

/*
 * Whether what a thread state runs can be on the thread's stack. Up to 3.11 another thread may have
 * borrowed it; 3.11 and 3.12 show that: what is inside of libc's thread structure (but for the
 * first thread's, which is elsewhere) and outside of the innermost frame is this thread's stack.
 */
WP_PYTHON_FN int wp_python_is_on_stack(const struct wp_python_walk *w, __u64 top)
{
	if (!(w->in.plan.flags & WP_PYTHON_CFRAME) || !w->in.sp)
		return 1;
	return top >= w->in.sp && (w->in.thread_pointer < w->in.sp || top < w->in.thread_pointer);
}

/* Whether a thread state says that it is the thread's, and that it runs something. */
WP_PYTHON_FN int wp_python_is_running(struct wp_python_walk *w, __u64 thread)
{
	__u64 top;

	if (!wp_python_is_own(w, thread))
		return 0;
	top = wp_python_thread_word(w, w->in.plan.ts_frame);
	/* Some versions have a frame that runs nothing in the thread state itself. */
	return top && top - thread >= 4 * WP_PYTHON_PAGE && wp_python_is_on_stack(w, top);
}

/* The pthread key; -1: the interpreter has none yet, or it cannot be read (*ret_end says). */
WP_PYTHON_FN __s32 wp_python_key(struct wp_python_walk *w, __u32 *ret_end)
{
	struct {
		__s32 initialized, key;
	} tss = {1, -1};
	int status;

	if (w->in.key)
		return (__s32)w->in.key - 1;
	if (w->in.plan.flags & WP_PYTHON_TLS_KEY_INT)
		status = wp_python_read(w, &tss.key, sizeof(tss.key), w->in.plan.tss_key);
	else
		status = wp_python_read(w, &tss, sizeof(tss), w->in.plan.tss_key - 4);
	*ret_end = status ? WP_PYTHON_UNREADABLE : WP_PYTHON_NO_THREAD;
	if (status || tss.initialized != 1 || tss.key < 0 || tss.key >= WP_PYTHON_KEYS)
		return -1;
	/* 0 may also mean that 2.7 has not made its key: not worth remembering. */
	if (tss.key || !(w->in.plan.flags & WP_PYTHON_TLS_KEY_INT))
		w->in.key = (__u32)tss.key + 1;
	return tss.key;
}

/*
 * TlsGetValue(): 64 slots in the TEB, more behind a pointer in it (winternl.h; Wine keeps to it).
 * What pthread keys are to Linux, these slots are to Windows.
 */
WP_PYTHON_FN int wp_python_windows_slot(struct wp_python_walk *w, __u32 key, __u64 *ret)
{
	__u64 slots = w->in.teb + WP_PYTHON_TEB_SLOTS;

	*ret = 0;
	if (!w->in.teb)
		return -1;
	if (key >= WP_PYTHON_TEB_KEYS) {
		key -= WP_PYTHON_TEB_KEYS;
		if (wp_python_read_word(w, w->in.teb + WP_PYTHON_TEB_MORE, &slots))
			return -1;
	}
	return slots ? wp_python_read_word(w, slots + 8 * (__u64)key, ret) : 0;
}

/* Of one block of {sequence, data}; keys in it. */
#define WP_PYTHON_BLOCK	      32
#define WP_PYTHON_BLOCK_WORDS (2 * WP_PYTHON_BLOCK)

/*
 * A slot of the first block, which lies in the thread structure itself, right before the pointers
 * to all blocks (struct pthread, nptl/descr.h): one read, where the first pointer says so. There is
 * no page of frames yet.
 */
WP_PYTHON_FN int wp_python_first_block(struct wp_python_walk *w, __u64 blocks, __u32 key,
				       __u64 *ret)
{
	__u64 first = blocks - WP_PYTHON_BLOCK_WORDS * 8, i = 2 * key + 1;

	if (key >= WP_PYTHON_BLOCK ||
	    wp_python_read(w, w->page, (WP_PYTHON_BLOCK_WORDS + 1) * 8, first) ||
	    w->page[WP_PYTHON_BLOCK_WORDS] != first)
		return -1;
	WP_PYTHON_MASK(i, WP_PYTHON_BLOCK_WORDS - 1);
	*ret = w->page[i];
	return 0;
}

/* pthread_getspecific() */
WP_PYTHON_FN int wp_python_specific(struct wp_python_walk *w, __u32 key, __u64 *ret)
{
	__u64 blocks = w->in.thread_pointer + (__u64)(__s64)w->in.plan.tsd, block;

	if (w->in.plan.flags & WP_PYTHON_WINDOWS)
		return wp_python_windows_slot(w, key, ret);
	if (!w->in.words && !wp_python_first_block(w, blocks, key, ret))
		return 0;
	*ret = 0;
	if (wp_python_read_word(w, blocks + 8 * (__u64)(key / 32), &block))
		return -1;
	return block ? wp_python_read_word(w, block + 16 * (__u64)(key % 32) + 8, ret) : 0;
}

WP_PYTHON_FN int wp_python_found(struct wp_python_walk *w, __u64 thread)
{
	w->thread = w->out.found = thread;
	wp_python_read_heads(w);
	wp_python_ask_count(w);
	w->phase = WP_PYTHON_ENTER;
	w->after = w->in.plan.interpreters ? WP_PYTHON_OTHERS : WP_PYTHON_ENDED;
	return 0;
}

WP_PYTHON_FN int wp_python_no_thread(struct wp_python_walk *w, __u32 end)
{
	wp_python_put(w, 0, WP_PYTHON_THREAD, w->in.index);
	return wp_python_stop(w, end);
}

/* Looks for the thread among the thread states of all interpreters. */
WP_PYTHON_FN int wp_python_begin_list(struct wp_python_walk *w)
{
	if (!w->in.plan.interpreters ||
	    wp_python_read_word(w, w->in.plan.interpreters, &w->interpreter))
		return wp_python_no_thread(w, w->in.plan.interpreters ? WP_PYTHON_UNREADABLE
								      : WP_PYTHON_NO_THREAD);
	w->phase = WP_PYTHON_LIST;
	if (w->interpreter &&
	    wp_python_read_word(w, w->interpreter + w->in.plan.interp_threads, &w->next_thread))
		return wp_python_no_thread(w, WP_PYTHON_UNREADABLE);
	return 0;
}

/*
 * The slot says nothing. Of a thread that was never switched out the kernel may not know the thread
 * pointer (arm64), but when it is the only one of its process, every state that runs is its own.
 */
WP_PYTHON_FN int wp_python_no_slot(struct wp_python_walk *w, __u32 end)
{
	if (w->in.alone && w->in.plan.interpreters)
		return wp_python_begin_list(w);
	return wp_python_no_thread(w, end);
}

/*
 * By the thread's own slot. In a subinterpreter of 3.11 and older it may name the state of another
 * one, which does not hold the GIL; one that holds it and says that it is this thread's is better.
 */
WP_PYTHON_FN int wp_python_find_specific(struct wp_python_walk *w)
{
	__u32 end = WP_PYTHON_NO_THREAD;
	__s32 key = wp_python_key(w, &end);
	__u64 thread;

	if (key < 0)
		return wp_python_no_thread(w, end);
	if (wp_python_specific(w, (__u32)key, &thread))
		return wp_python_no_slot(w, WP_PYTHON_UNREADABLE);
	if (w->current != thread && wp_python_is_running(w, w->current))
		return wp_python_found(w, w->current);
	if (!thread || ((w->in.plan.flags & WP_PYTHON_TLS_KEY_INT) && !wp_python_is_own(w, thread)))
		return wp_python_no_slot(w, WP_PYTHON_NO_THREAD);
	wp_python_found(w, thread);
	/* While the GIL is released, 3.11 and older name the first one made: any other is inside
	 * of it. */
	if (w->in.plan.current && w->current != thread && w->in.plan.interpreters) {
		w->outermost = thread;
		w->phase = WP_PYTHON_OTHERS;
	}
	return 0;
}

WP_PYTHON_FN int wp_python_find(struct wp_python_walk *w)
{
	if (w->in.plan.current && wp_python_read_word(w, w->in.plan.current, &w->current))
		w->current = 0;
	if (w->in.alone && wp_python_is_own(w, w->current))
		return wp_python_found(w, w->current);
	if ((w->in.plan.tsd || w->in.plan.flags & WP_PYTHON_WINDOWS) && w->in.plan.tss_key)
		return wp_python_find_specific(w);
	if (wp_python_is_own(w, w->current))
		return wp_python_found(w, w->current);
	if (wp_python_is_own(w, w->in.hint))
		return wp_python_found(w, w->in.hint);
	return wp_python_begin_list(w);
}

/* To the next interpreter's first thread state. */
WP_PYTHON_FN int wp_python_list_interpreter(struct wp_python_walk *w)
{
	__u64 interpreter = w->interpreter;

	if (!interpreter)
		return w->thread ? wp_python_found(w, w->thread)
				 : wp_python_no_thread(w, WP_PYTHON_NO_THREAD);
	if (wp_python_read_word(w, interpreter + w->in.plan.interp_next, &w->interpreter))
		return wp_python_no_thread(w, WP_PYTHON_UNREADABLE);
	if (w->interpreter &&
	    wp_python_read_word(w, w->interpreter + w->in.plan.interp_threads, &w->next_thread))
		return wp_python_no_thread(w, WP_PYTHON_UNREADABLE);
	return 0;
}

/*
 * One thread state of the list. A thread may have several, one for each interpreter it has been in:
 * the one that runs something is taken.
 */
WP_PYTHON_FN int wp_python_list_step(struct wp_python_walk *w)
{
	__u64 thread = w->next_thread;

	if (++w->listed > WP_PYTHON_LIST_MAX)
		return wp_python_no_thread(w, WP_PYTHON_DAMAGED);
	if (!thread)
		return wp_python_list_interpreter(w);
	if (wp_python_load_thread(w, thread))
		return wp_python_no_thread(w, WP_PYTHON_UNREADABLE);
	w->next_thread = wp_python_thread_word(w, w->in.plan.ts_next);
	if (!wp_python_is_own(w, thread))
		return 0;
	if (wp_python_thread_word(w, w->in.plan.ts_frame))
		return wp_python_found(w, thread);
	w->thread = thread;
	return 0;
}

WP_PYTHON_FN int wp_python_gil_word(struct wp_python_walk *w, __u64 gil, __u32 offset, __u64 *ret)
{
	if (wp_python_read_word(w, (gil + offset) & ~7ull, ret))
		return -1;
	*ret >>= ((gil + offset) & 7) * 8;
	return 0;
}

WP_PYTHON_FN int wp_python_holds_gil(struct wp_python_walk *w, int *ret)
{
	__u64 interpreter, gil, holder, locked;

	if (w->in.plan.flags & WP_PYTHON_FREE_THREADED) {
		locked = wp_python_thread_word(w, w->in.plan.ts_state);
		*ret = wp_python_part(locked, w->in.plan.ts_state) == 1;
		return w->in.plan.ts_state ? 0 : -1;
	}
	*ret = w->current == w->thread;
	if (w->in.plan.current)
		return 0;
	interpreter = wp_python_thread_word(w, w->in.plan.ts_interp);
	if (!w->in.plan.interp_gil ||
	    wp_python_read_word(w, interpreter + w->in.plan.interp_gil, &gil) ||
	    wp_python_gil_word(w, gil, w->in.plan.gil_holder, &holder) ||
	    wp_python_gil_word(w, gil, w->in.plan.gil_locked, &locked))
		return -1;
	*ret = (__s32)locked == 1 && holder == w->thread;
	return 0;
}

/*
 * struct _gil_runtime_state (Include/internal/pycore_gil.h): four words, two condition variables
 * and two mutexes, which have 48 and 40 bytes in glibc (48 and 48 on arm64).
 */
#define WP_PYTHON_GIL_BYTES 224

/*
 * Where it begins; 0: not known. 3.7 to 3.11 have it in _PyRuntime.ceval, right in front of
 * _PyRuntime.gilstate, whose second word is the current thread state. Before, it was in variables
 * of their own.
 */
WP_PYTHON_FN __u64 wp_python_gil(struct wp_python_walk *w)
{
	__u64 gil, interpreter;

	if (w->in.plan.flags & (WP_PYTHON_FREE_THREADED | WP_PYTHON_TLS_KEY_INT))
		return 0;
	if (w->in.plan.current)
		return w->in.plan.current - 8 - WP_PYTHON_GIL_BYTES;
	interpreter = wp_python_thread_word(w, w->in.plan.ts_interp);
	if (!w->in.plan.interp_gil ||
	    wp_python_read_word(w, interpreter + w->in.plan.interp_gil, &gil))
		return 0;
	return gil;
}

WP_PYTHON_FN void wp_python_note_gil(struct wp_python_walk *w)
{
	int held = 0;

	if (!w->in.want_gil || wp_python_holds_gil(w, &held))
		return;
	w->out.flags |= WP_PYTHON_GIL_KNOWN | (held ? WP_PYTHON_GIL_HELD : 0);
	if (w->in.futex && w->in.futex - wp_python_gil(w) < WP_PYTHON_GIL_BYTES)
		w->out.flags |= WP_PYTHON_GIL_AWAITED;
}

#endif
