/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_proc_task: the texts of /proc/TID/syscall and /proc/TID/schedstat. */
#include "format/maps/proc_task.h"

#include "base/mem.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree char *text = wp_strndup((const char *)data, size);
	struct wp_proc_task place;
	uint64_t turns;

	if (wp_proc_task_place(text, &place)) {
		if ((place.kind == WP_PROC_TASK_WAITS) != (place.call >= 0) &&
		    place.kind != WP_PROC_TASK_RUNS)
			abort();
		if (place.kind == WP_PROC_TASK_RUNS && (place.sp || place.ip))
			abort();
	}
	if (wp_proc_task_turns(text, &turns) && !turns)
		abort();
	return 0;
}
