/* SPDX-License-Identifier: BSD-3-Clause */
/* asyncio's tasks out of memory of each family of versions, from wherever it keeps them. */
#include "check.h"
#include "python_tasks_image.h"

static struct tasks_image image;
static struct wp_python_task_list list;

static void list_tasks(void)
{
	struct wp_memory memory = {names_read, &image.memory};

	wp_python_task_list_read(&image.memory.dicts, &image.memory.plan, &memory, &list);
}

static void test_families(void)
{
	for (enum names_family family = N311; family < N_FAMILIES; family++) {
		tasks_make(&image, family);
		list_tasks();
		CHECK_U64(list.tasks.n, 4);
		CHECK_U64(list.tasks.v[0], image.scheduled);
		CHECK_U64(list.tasks.v[1], image.eager);
		CHECK_U64(list.tasks.v[2], image.linked);
		CHECK_U64(list.tasks.v[3], image.left);
		CHECK(!list.cut);
		image.memory.plan.ts_tasks = 0; /* as of 3.13 */
		list_tasks();
		CHECK_U64(list.tasks.n, 2);
		image.memory.plan.gen_frame = 0;
		list_tasks();
		CHECK_U64(list.tasks.n, 0);
	}
}

/* A list that leads to itself, not to its head, ends. */
static void test_endless(void)
{
	uint64_t node;

	tasks_make(&image, N313);
	node = image.linked + image.memory.plan.task_node;
	names_put(&image.memory, node, node);
	list_tasks();
	CHECK_U64(list.tasks.n, WP_PYTHON_TASKS_MAX);
	CHECK(list.cut);
}

static enum wp_python_task_does does(uint32_t version, int8_t state)
{
	struct wp_memory memory = {names_read, &image.memory};
	uint64_t coro = image.scheduled;

	image.memory.bytes[coro - NAMES_BASE + image.memory.plan.gen_frame - 5] = (uint8_t)state;
	return wp_python_task_does(version, &image.memory.plan, &memory, coro);
}

static void test_states(void)
{
	tasks_make(&image, N313);
	CHECK_U64(does(0x030c01f0, -2), WP_PYTHON_TASK_IS_NEW);
	CHECK_U64(does(0x030c01f0, -1), WP_PYTHON_TASK_WAITS);
	CHECK_U64(does(0x030d00f0, -3), WP_PYTHON_TASK_IS_NEW);
	CHECK_U64(does(0x030d00f0, -2), WP_PYTHON_TASK_WAITS);
	CHECK_U64(does(0x030e00f0, 0), WP_PYTHON_TASK_RUNS);
	CHECK_U64(does(0x030e00f0, 4), WP_PYTHON_TASK_IS_DONE);
	CHECK_U64(does(0x030f00f0, 0), WP_PYTHON_TASK_IS_NEW);
	CHECK_U64(does(0x030f00f0, 2), WP_PYTHON_TASK_WAITS);
	CHECK_U64(does(0x030f00f0, 4), WP_PYTHON_TASK_RUNS);
	CHECK_U64(does(0x031000f0, 4), WP_PYTHON_TASK_NOT_KNOWN);
}

int main(void)
{
	RUN(test_families);
	RUN(test_endless);
	RUN(test_states);
	wp_vec_deinit(&list.tasks);
	return check_done();
}
