/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_measures: what samples of loads and stores count for besides their event: cycles of
 * latency, and who answered.
 *
 * Aggregate stage. In: what a sample carries (mem_access.h) and, at the end, a profile whose events
 * have names. Out: the profile's measures, of which each has a sample. Figures are of samples, not
 * of what these stand for, as in `wperf mem`.
 */
#ifndef WP_PROFILE_MEASURES_H
#define WP_PROFILE_MEASURES_H

#include "base/arena.h"
#include "core/profile.h"
#include "core/sample_data.h"

/* data may be NULL. */
void wp_profile_take_access(const struct wp_sample_data *data, struct wp_profile_sample *add);
/* After the last sample and event. Names live as long as the arena. */
void wp_profile_find_measures(struct wp_profile *profile, struct wp_arena *arena);

#endif
