/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_task_list: {family u8, words {place u16, value u16}...}: a process's memory as
 * tests/unit/python_tasks_image.h makes it, in which words are changed: to a number or, if it is
 * odd, to an address within. However it is linked, lists end.
 */
#include "base/bytes.h"
#include "../unit/python_tasks_image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes in = wp_bytes_of(data, size);
	struct wp_python_task_list list = {0};
	struct tasks_image image;
	struct wp_memory memory = {names_read, &image.memory};

	tasks_make(&image, wp_bytes_u8(&in) % N_FAMILIES);
	while (wp_bytes_left(&in) >= 4) {
		uint64_t at = wp_bytes_u16(&in) * UINT64_C(8) % image.memory.used;
		uint64_t value = wp_bytes_u16(&in);

		names_put(&image.memory, NAMES_BASE + at,
			  value & 1 ? NAMES_BASE + value - 1 : value);
	}
	wp_python_task_list_read(&image.memory.dicts, &image.memory.plan, &memory, &list);
	if (list.tasks.n > WP_PYTHON_TASKS_MAX)
		abort();
	wp_python_task_does(0x030d0000, &image.memory.plan, &memory,
			    list.tasks.n ? list.tasks.v[0] : 0);
	wp_vec_deinit(&list.tasks);
	return 0;
}
