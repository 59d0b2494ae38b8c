/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_asyncio: where the asyncio tasks of a process wait.
 *
 * Session stage. In: a process, whose threads nobody stops: its tasks are read again while one of
 * the threads gets a CPU meanwhile. Out: a part of the document.
 */
#ifndef WP_DUMP_ASYNCIO_H
#define WP_DUMP_ASYNCIO_H

#include "aggregate/dump_tasks.h"
#include "runtime/python_task_list.h"
#include "session/follow/python_feed.h"
#include "source/instant/instant_reader.h"

/* A task as it was read: its slots, and its outermost coroutine. */
struct wp_dump_asyncio_task {
	uint32_t plan;
	uint64_t coro;
	size_t first, n;
};

struct wp_dump_asyncio {
	struct wp_python_feed *python;
	struct wp_resolver *resolver;
	struct wp_instant_reader *reader;
	WP_VEC(struct wp_dump_asyncio_task) tasks;
	WP_VEC(struct wp_python_slot) slots;
	bool cut; /* there are more */
};

/*
 * Adds the tasks of the process that was added to dump last, and whose interpreters the reader has.
 * core: what stands for its memory; NULL: it runs. Nothing is added when there are none.
 */
void wp_dump_asyncio_add(struct wp_dump_asyncio *asyncio, uint32_t pid,
			 const struct wp_memory *core, struct wp_dump_doc *dump);
void wp_dump_asyncio_deinit(struct wp_dump_asyncio *asyncio);

#endif
