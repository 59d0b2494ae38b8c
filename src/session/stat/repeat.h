/* SPDX-License-Identifier: BSD-3-Clause */
/* repeat: `stat -r`: a command again and again, and the mean of its runs. */
#ifndef WP_REPEAT_H
#define WP_REPEAT_H

#include "session/stat/counting.h"

/*
 * Runs the command as often as asked for, or until Ctrl-C, which lets the current run end first.
 * ret_exit is the status of the last run.
 */
struct wp_err *wp_repeat_run(struct wp_counting *counting, int *ret_exit) WP_MUST_CHECK;

#endif
