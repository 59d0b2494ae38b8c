/* SPDX-License-Identifier: BSD-3-Clause */
/* intervals: `stat -I`: what was counted in each interval, while events run on. */
#ifndef WP_INTERVALS_H
#define WP_INTERVALS_H

#include "session/stat/counting.h"

/* Runs to the last interval (--interval-count, --timeout), the end of the target or Ctrl-C; a last
 * interval that is cut short is shown too. */
struct wp_err *wp_intervals_run(struct wp_counting *counting) WP_MUST_CHECK;

/* Intervals for --json=strict: one document, a timeline without pauses, when all is over. */
struct wp_err *wp_intervals_document(struct wp_counting *counting) WP_MUST_CHECK;

#endif
