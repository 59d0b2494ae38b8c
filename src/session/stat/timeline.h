/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline: `stat -t`: counts, sleeps, counts again; each count becomes a line of a CSV file at
 * once, so that nothing counted is lost whatever happens next.
 */
#ifndef WP_TIMELINE_H
#define WP_TIMELINE_H

#include "session/stat/counting.h"

/* Runs to the last count (-n), the end of the target or Ctrl-C, then emits the JSON if it is
 * wanted. */
struct wp_err *wp_timeline_run(struct wp_counting *counting) WP_MUST_CHECK;

#endif
