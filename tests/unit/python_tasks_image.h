/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_tasks_image: the memory of a process whose asyncio has four tasks: one that is scheduled,
 * an eager one and, as 3.14 has them, one in a list of its thread and one of a thread that ended.
 */
#ifndef WP_PYTHON_TASKS_IMAGE_H
#define WP_PYTHON_TASKS_IMAGE_H

#include "python_names_image.h"
#include "runtime/python_task_list.h"

struct tasks_image {
	struct names_image memory;
	uint64_t scheduled, eager, linked, left; /* the tasks */
	uint64_t state;				 /* of the thread */
};

/* {fill, used, mask, table} behind the head; 8 places. */
static inline uint64_t tasks_set(struct names_image *image, uint64_t key)
{
	uint64_t set = names_object(image, 0, 96), table = names_room(image, 128);
	uint64_t at = set + image->plan.object_type + 8;

	names_put(image, at + 16, 7);
	names_put(image, at + 24, table);
	names_put(image, table + 5 * 16, key);
	return set;
}

/* A task in a list of one, whose head is at that address. */
static inline uint64_t tasks_linked(struct names_image *image, uint64_t head)
{
	uint64_t task = names_object(image, 0, 64);

	names_put(image, head, task + image->plan.task_node);
	names_put(image, task + image->plan.task_node, head);
	return task;
}

static inline void tasks_make(struct tasks_image *tasks, enum names_family family)
{
	struct names_image *image = &tasks->memory;
	uint16_t head;

	names_make(image, family, "worker");
	head = image->plan.object_type;
	image->plan.gen_frame = head + 56;
	image->plan.task_node = head + 24;
	image->plan.ts_tasks = 32;
	image->plan.interp_tasks = 32;
	tasks->scheduled = names_object(image, 0, 64);
	tasks->eager = names_object(image, 0, 64);
	uint64_t ref = names_object(image, 0, 64);
	names_put(image, ref + head + 8, tasks->scheduled);
	uint64_t attributes[][2] = {{names_str(image, "data"), tasks_set(image, ref)}};
	uint64_t globals[][2] = {
		{names_str(image, family == N311 ? "_all_tasks" : "_scheduled_tasks"),
		 names_instance(image, attributes, 1)},
		{names_str(image, "_eager_tasks"), tasks_set(image, tasks->eager)},
	};
	uint64_t module = names_object(image, 0, 64);
	names_put(image, module + head + 8, names_dict(image, globals, 2, false));
	uint64_t modules[][2] = {{names_str(image, "asyncio.tasks"), module}};
	image->interpreter = names_room(image, 64);
	tasks->state = names_room(image, 64);
	names_put(image, image->plan.interpreters, image->interpreter);
	names_put(image, image->interpreter + 8, tasks->state);
	names_put(image, image->interpreter + 16, names_dict(image, modules, 1, false));
	tasks->linked = tasks_linked(image, tasks->state + image->plan.ts_tasks);
	tasks->left = tasks_linked(image, image->interpreter + image->plan.interp_tasks);
}

#endif
