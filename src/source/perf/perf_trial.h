/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_trial: which events of a default set the kernel opens here, found by opening each of them
 * once on ourselves.
 */
#ifndef WP_PERF_TRIAL_H
#define WP_PERF_TRIAL_H

#include "core/event.h"

/*
 * Marks what the kernel or the PMU does not have as WP_EVENT_REFUSED. What the user lacks the right
 * for is left as it is: opening the set says so.
 */
void wp_perf_trial(struct wp_event_set *set);

#endif
