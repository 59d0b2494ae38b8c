/* SPDX-License-Identifier: BSD-3-Clause */
/* process_ends: see process_ends.h. */
#include "session/follow/process_ends.h"

#include "base/proc_living.h"

static bool take_exit(struct wp_process_ends *ends, const struct wp_record *record)
{
	if (record->pid != record->tid && !wp_map_get(&ends->headless, record->pid))
		return false;
	if (wp_proc_living(record->pid) != record->pid) {
		*wp_map_put(&ends->headless, record->pid) = 1;
		return false;
	}
	wp_map_remove(&ends->headless, record->pid);
	return true;
}

bool wp_process_ends_take(struct wp_process_ends *ends, const struct wp_record *record)
{
	if (record->kind == WP_RECORD_EXIT)
		return take_exit(ends, record);
	/* Another process of that id, or the thread that called exec is the first one now. */
	if ((record->kind == WP_RECORD_FORK && record->fork.parent_pid != record->pid) ||
	    wp_record_is_exec(record))
		wp_map_remove(&ends->headless, record->pid);
	return false;
}

void wp_process_ends_deinit(struct wp_process_ends *ends)
{
	wp_map_deinit(&ends->headless);
}
