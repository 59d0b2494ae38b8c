/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_asyncio: where asyncio's C module keeps its tasks.
 *
 * Runtime stage. 3.14 and newer: the module (or the program it is built into) describes itself in a
 * section of its own, .AsyncioDebug, a struct of 13 64-bit offsets (Modules/_asynciomodule.c:
 * Py_AsyncioModuleDebugOffsets). 3.11 to 3.13: by table, since no header tells. What is not known
 * stays 0, and then no tasks are looked for.
 */
#ifndef WP_PYTHON_ASYNCIO_H
#define WP_PYTHON_ASYNCIO_H

#include "core/python_plan.h"
#include "runtime/python_elf.h"

/* All-zero: not known. */
struct wp_python_asyncio {
	uint16_t task_coro, task_name, task_awaited_by;
	uint16_t ts_task; /* in the thread state: the running task */
	/* Lists of tasks (0: not known): in the thread state, in the interpreter, a task's node. */
	uint16_t ts_tasks, task_node;
	uint32_t interp_tasks;
};

/* True when the file has the section, and what it says can be. */
bool wp_python_asyncio_read(int fd, struct wp_python_asyncio *ret);
/* Fills in what is known of a version without the section. */
void wp_python_asyncio_layout(uint32_t version, struct wp_python_plan *layout);
/* Fills in what a section said, for a version that has it. */
void wp_python_asyncio_apply(const struct wp_python_asyncio *asyncio, struct wp_python_plan *plan);

#endif
