/*
 * python_task_state: what a walk of Python frames knows of asyncio's tasks while it looks for them.
 *
 * Core, shared with BPF: part of core/python_state.h; core/python_task.h does the looking.
 */
#ifndef WP_PYTHON_TASK_STATE_H
#define WP_PYTHON_TASK_STATE_H

#include <linux/types.h>

#define WP_PYTHON_TASK_CHAIN 64	  /* tasks behind one coroutine */
#define WP_PYTHON_TASK_ITEMS 16	  /* of a tuple, a list or a set that are looked at */
#define WP_PYTHON_TASK_QUEUE 64	  /* objects between a task and those that await it */
#define WP_PYTHON_TASK_COROS 64	  /* coroutines that an awaiting task is in */
#define WP_PYTHON_TASK_STEPS 6144 /* of one walk */
#define WP_PYTHON_TASK_SCAN  4096 /* bytes of stack that are searched for the running task */

/* Powers of two: indexes are masked. */
#define WP_PYTHON_TASK_KNOWN 16 /* coroutines whose tasks are remembered */

struct wp_python_tasks {
	__u32 wanted; /* in: costs reads */
	__u32 steps;
	__u64 outermost; /* the frame that was put last, if a generator has it; else 0 */
	__u64 mark;	 /* of the run at hand */
	__u32 left;	 /* its cframe has been left already */
	__u32 unused;
	__u64 coro;    /* that the run begins with; later: the next one inwards */
	__u64 scan;    /* the next word of stack that may be the task */
	__u64 task;    /* the one at hand */
	__u64 found;   /* the first one that awaits it */
	__u32 n_found; /* how many do */
	__u32 depth;
	__u32 first, end; /* of the queue */
	__u32 n_coros;
	__u32 several; /* the task at hand is one of several that await */
	__u64 queue[WP_PYTHON_TASK_QUEUE];
	__u64 coros[WP_PYTHON_TASK_COROS]; /* outermost first */
	__u64 known_coros[WP_PYTHON_TASK_KNOWN], known[WP_PYTHON_TASK_KNOWN];
};

#endif
