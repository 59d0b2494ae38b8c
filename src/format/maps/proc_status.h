/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc_status: numbers out of /proc/PID/status and /proc/PID/stat, from text to plain values.
 *
 * Format stage; pure. proc_pid_status(5), proc_pid_stat(5). The name in them is the process's to
 * choose: any bytes, in `stat` as they are.
 */
#ifndef WP_PROC_STATUS_H
#define WP_PROC_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#define WP_PROC_STAT_STATE  3 /* a letter, in `stat` */
#define WP_PROC_STAT_PARENT 4
#define WP_PROC_STAT_FLAGS  9
#define WP_PROC_STAT_START  22 /* ticks since boot */
#define WP_PROC_STAT_CODE   26 /* where the code of the program begins */

/* The number in the innermost PID namespace (Linux 4.1) of a task whose number here is `id`; the
 * same when the text does not say. */
uint32_t wp_proc_status_inner(const char *status, uint32_t id);
/* Where a field of `stat` from the third on begins, counted as the manual does; NULL: nowhere. */
const char *wp_proc_stat_field(const char *stat, int field);
/* A field that is a number; false: it is none. */
bool wp_proc_stat_number(const char *stat, int field, uint64_t *ret);

#endif
