/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_tasks: asyncio's tasks of a process in the document of `wperf dump`.
 *
 * Aggregate stage. In: tasks with the named frames of their coroutines. Out: JSON with each, and a
 * text in which those that stand at the same place are one: a server's connections are many.
 */
#ifndef WP_DUMP_TASKS_H
#define WP_DUMP_TASKS_H

#include "aggregate/dump_doc.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/strpool.h"
#include "base/vec.h"

enum wp_dump_task_state {
	WP_DUMP_TASK_WAITS,
	WP_DUMP_TASK_IS_NEW, /* it has not begun */
	WP_DUMP_TASK_RUNS,   /* its coroutines are frames of a thread */
	WP_DUMP_TASK_NOT_KNOWN,
	WP_DUMP_TASK_STATES
};

/* Strings are borrowed until the call returns. */
struct wp_dump_task {
	const char *name; /* with its coroutine: "Task-1 (main)" */
	enum wp_dump_task_state state;
	const struct wp_dump_frame *frames; /* innermost first */
	size_t n;
	const char *const *awaited_by; /* the task that awaits it, the one that awaits that ... */
	size_t n_awaited_by;
	bool several; /* the first of these is one of several */
};

/* Tasks at one place. */
struct wp_dump_tasks_group {
	const char *frames; /* their text */
	const char *names;  /* of the first ones */
	const char *awaits; /* the task that awaits the first one; NULL: none */
	bool differ;	    /* other ones await others, or there are none */
	enum wp_dump_task_state state;
	size_t n, n_awaited;
};

/* All-zero but for dump is a good beginning. */
struct wp_dump_tasks {
	struct wp_dump_doc *dump;
	struct wp_node *tasks; /* an array; NULL: none was added */
	struct wp_arena arena;
	struct wp_strpool texts;
	struct wp_map group_of;
	WP_VEC(struct wp_dump_tasks_group) groups;
	size_t n;
};

/* Adds one to the process that was added to the document last. */
void wp_dump_tasks_add(struct wp_dump_tasks *tasks, const struct wp_dump_task *task);
/* Behind the last one; frees all but the document. cut: there are more. */
void wp_dump_tasks_end(struct wp_dump_tasks *tasks, enum wp_instant_proof proof, bool cut);

#endif
