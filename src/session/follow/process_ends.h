/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process_ends: at which record a process has ended.
 *
 * Session stage. A thread's EXIT record is the process's when no other thread runs; most often it
 * is that of the first thread, but a process lives on when only that one ends (pthread_exit() in
 * main).
 */
#ifndef WP_PROCESS_ENDS_H
#define WP_PROCESS_ENDS_H

#include "base/map.h"
#include "core/record.h"

/* All-zero has met none. */
struct wp_process_ends {
	struct wp_map headless; /* processes whose first thread has ended, not they */
};

/* Takes every record of a live run, in order. True when its process has ended with it. */
bool wp_process_ends_take(struct wp_process_ends *ends, const struct wp_record *record);
void wp_process_ends_deinit(struct wp_process_ends *ends);

#endif
