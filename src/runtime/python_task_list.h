/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_task_list: asyncio's tasks of a process, those that wait among them.
 *
 * Runtime stage, pure: structures in another process's memory in, addresses of tasks out. 3.11 to
 * 3.13: the weak sets of the module asyncio.tasks; 3.14 and newer: the lists of thread states and
 * interpreters as well (Modules/_asynciomodule.c, register_task). The process runs on meanwhile and
 * is not to be trusted: an address may be of anything, everything is bounded.
 */
#ifndef WP_PYTHON_TASK_LIST_H
#define WP_PYTHON_TASK_LIST_H

#include "base/vec.h"
#include "runtime/python_dict.h"

#define WP_PYTHON_TASKS_MAX 16384 /* of a process */

struct wp_python_task_list {
	WP_VEC(uint64_t) tasks;
	bool cut; /* there are more, or not all could be read */
};

/* What the coroutine of a task does (Include/internal/pycore_frame.h, PyFrameState). */
enum wp_python_task_does {
	WP_PYTHON_TASK_WAITS,
	WP_PYTHON_TASK_IS_NEW, /* it has not begun */
	WP_PYTHON_TASK_RUNS,
	WP_PYTHON_TASK_IS_DONE,
	WP_PYTHON_TASK_NOT_KNOWN,
};

/* Replaces *ret, of which the caller deinits tasks; it is empty where tasks are not known. */
void wp_python_task_list_read(const struct wp_python_dict_layout *layout,
			      const struct wp_python_plan *plan, const struct wp_memory *memory,
			      struct wp_python_task_list *ret);
/* coro: of that interpreter's version; 0: not known. */
enum wp_python_task_does wp_python_task_does(uint32_t version, const struct wp_python_plan *plan,
					     const struct wp_memory *memory, uint64_t coro);

#endif
