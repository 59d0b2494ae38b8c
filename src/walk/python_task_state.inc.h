/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_task_state: what a walk of Python frames knows of asyncio's tasks and of greenlets while
 * it looks for them.
 *
 * Walk, shared with BPF: part of walk/python_state.inc.h; walk/python_task.inc.h and
 * walk/python_greenlet.inc.h do the looking.
 */
#ifndef WP_PYTHON_TASK_STATE_H
#define WP_PYTHON_TASK_STATE_H

#include <linux/types.h>

#define WP_PYTHON_TASK_CHAIN 256  /* tasks behind one coroutine */
#define WP_PYTHON_TASK_ITEMS 1024 /* of a tuple, a list or a set that are looked at */
#define WP_PYTHON_TASK_QUEUE 64	  /* objects between a task and those that await it */
#define WP_PYTHON_TASK_COROS 256  /* coroutines that an awaiting task is in */
#define WP_PYTHON_TASK_STEPS 6144 /* of one walk */
#define WP_PYTHON_TASK_SCAN  4096 /* bytes of stack that are searched for the running task */
#define WP_PYTHON_ATTRIBUTES \
	30 /* of an instance without a dict of its own (SHARED_KEYS_MAX_SIZE) */

/* Powers of two: indexes are masked. */
#define WP_PYTHON_TASK_KNOWN 16 /* coroutines whose tasks are remembered */

/* Why attributes are looked through. */
enum wp_python_task_why {
	WP_PYTHON_WHY_RUNS,    /* a task: does it run the coroutine? */
	WP_PYTHON_WHY_AWAITS,  /* a task: where is the coroutine with which it awaits? */
	WP_PYTHON_WHY_WAITERS, /* a future: what does it tell when it is done? */
	WP_PYTHON_WHY_PARENT,  /* a TaskGroup: whose is it? */
};

struct wp_python_tasks {
	__u32 steps;
	__u64 outermost; /* the frame that was put last, if a generator has it; else 0 */
	__u64 code;	 /* what names the code object of the frame that was put last */
	__u64 mark;	 /* of the run at hand */
	__u32 left;	 /* its cframe has been left already */
	__u32 unknown;	 /* the task at hand tells something that says nothing of who awaits */
	__u64 coro;	 /* that the run begins with; later: the next one inwards */
	__u64 scan;	 /* the next word of stack that may be the task */
	__u64 task;	 /* the one at hand */
	__u64 slot;	 /* the same, as in a slot */
	__u64 found;	 /* the first one that awaits it */
	__u32 n_found;	 /* how many do */
	__u32 depth;
	__u32 first, end; /* of the queue, which is a ring */
	__u32 n_coros;
	__u32 several;	/* the task at hand is one of several that await */
	__u32 cut;	/* not all that may await it was looked at */
	__u32 left_out; /* coroutines of an awaiting task, innermost ones, were */
	/* Of a tuple, a list or a set: the next item and how many are left. */
	__u64 item;
	__u32 n_items, stride;
	/* An object whose attributes are looked through, and what was found. */
	__u64 object, values;
	__u32 value, n_values;
	__u32 why;  /* enum wp_python_task_why */
	__u32 pure; /* the task found is written in Python */
	__u64 coro_at, name_at, callbacks, parent;
	/* The greenlet at hand, whose frames are walked when it waits, and the one that ran when a
	 * walk found one last. */
	__u64 greenlet, running;
	__u32 waits;	      /* what is walked is a greenlet that waits */
	__u32 met;	      /* one that begins on this stack */
	__u32 parents;	      /* of it, so far */
	__u32 main_at, shift; /* where greenlets have the thread's main one; their kind */
	__u64 no_greenlet[WP_PYTHON_TASK_KNOWN];
	__u64 queue[WP_PYTHON_TASK_QUEUE];
	__u64 coros[WP_PYTHON_TASK_COROS]; /* outermost first */
	__u64 known_coros[WP_PYTHON_TASK_KNOWN], known[WP_PYTHON_TASK_KNOWN];
};

#endif
