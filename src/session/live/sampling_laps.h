/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_laps: `top`: what the sinks of a run have is shown and forgotten, interval after
 * interval, while the run goes on.
 *
 * Session stage. In: a run (sampling_run). Out: a document for each interval on io->out, and a line
 * about all of them. What was learnt (modules, symbols, code objects, names) stays. A sample counts
 * where it is resolved: one that came when an interval ended, or whose module was still being read,
 * counts in the next one. Each counts once.
 */
#ifndef WP_SAMPLING_LAPS_H
#define WP_SAMPLING_LAPS_H

#include "session/live/sampling.h"

/* Before the run is prepared. most: 0: until the run ends. */
void wp_sampling_laps_begin(struct wp_sampling *sampling, uint64_t length_ns, uint64_t most);
/* When to look up, at most at that time. */
uint64_t wp_sampling_laps_pause(const struct wp_sampling *sampling, uint64_t until_ns);
/* The last one is over, to be shown when the run has been drained; or nobody reads any more. */
bool wp_sampling_laps_over(const struct wp_sampling *sampling);
/* Shows and forgets the interval that is over, if one is. Nothing without laps. */
struct wp_err *wp_sampling_laps_look(struct wp_sampling *sampling) WP_MUST_CHECK;
/* When the target ended and there are screens: what is to be seen stays until the user has seen
 * enough. */
struct wp_err *wp_sampling_laps_linger(struct wp_sampling *sampling) WP_MUST_CHECK;
/* After the run: shows the last one, cut short or not, and what all of them come to. */
struct wp_err *wp_sampling_laps_end(struct wp_sampling *sampling) WP_MUST_CHECK;

#endif
